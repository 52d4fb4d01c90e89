import { readMp3Head } from "#worker/files/audio/mp3-head.ts";
import type { Sliced } from "#worker/files/audio/walk.ts";
import { startOf } from "../../sound/mp3-audio.ts";

/** Seconds that an encoder put before the sound of an MP3. Players skip them, mediabunny counts them. */
export async function silenceBefore(url: string, fetchFn: typeof fetch) {
  const file: Sliced = {
    size: Infinity,
    slice: (start, end) => ({ arrayBuffer: () => readRange(start, end) }),
  };
  async function readRange(start: number, end: number) {
    const answer = await fetchFn(url, { headers: { Range: `bytes=${start}-${end - 1}` } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
    const bytes = await answer.arrayBuffer();
    return answer.status === 206 ? bytes : bytes.slice(start, end);
  }
  const { silence } = await readMp3Head(file, await startOf(file));
  return silence;
}
