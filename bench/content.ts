import { createEpisode } from "#worker/episodes/episodes.ts";
import { files } from "#worker/files/table.ts";
import { createContext } from "#worker/platform/context.ts";

const MiB = 1024 * 1024;
const AUDIO_BYTES = 20 * MiB;
const EPISODES = 300;

const words =
  "rent clinic lease budget street nurse tenant council verandah policy waiting room evidence pilot garden price".split(
    " ",
  );

/** The same numbers from the same seed (mulberry32). */
function randomFrom(start: number) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Fills the site to its usual size; returns what the bench asks for. */
export async function seed(env: Env) {
  const ctx = createContext(env, { actor: { kind: "job", name: "bench" } });
  const random = randomFrom(1);
  const text = (length: number) =>
    Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
  const key = "podcast-audio/bench/long.mp3";
  await env.MEDIA.put(key, new Uint8Array(AUDIO_BYTES).fill(7), {
    httpMetadata: { contentType: "audio/mpeg" },
  });
  let episode = 0;
  for (let n = 1; n <= EPISODES; n++) {
    const audioFileId = crypto.randomUUID();
    await ctx.db.insert(files).values({
      id: audioFileId,
      key: n === 1 ? key : `podcast-audio/bench/${n}.mp3`,
      folder: "podcast-audio",
      name: `${n}.mp3`,
      type: "audio/mpeg",
      size: AUDIO_BYTES,
      partSize: 8 * MiB,
      status: "complete",
      durationSeconds: 3600,
      createdBy: "bench",
      createdAt: ctx.now,
      completedAt: ctx.now,
    });
    const created = await createEpisode(ctx, {
      title: `${text(5)} ${n}`,
      description: text(40),
      showNotes: `## Notes\n\n${text(60)} *${text(3)}* ${text(60)}\n\n${text(120)}\n\n- [Link](https://example.com/${n})`,
      status: "published",
      publishedAt: ctx.now.getTime() - n * 86_400_000,
      episodeNumber: n,
      audioFileId,
    });
    episode = created.id;
  }
  return { episodePath: `/episode/${episode}`, audioPath: `/media/${key}` };
}
