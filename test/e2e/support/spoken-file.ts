import { spokenRecording } from "../../support/spoken-recording.ts";
import type { Site } from "./site.ts";

/** Stores a recording of this many seconds, as after an upload, for stand-ins of servers that answer with its words. */
export async function storeSpoken({ env }: Site, id: string, seconds: number) {
  const bytes = spokenRecording(seconds);
  const key = `podcast-audio/${id}/recording.mp3`;
  await env.MEDIA.put(key, bytes, { httpMetadata: { contentType: "audio/mpeg" } });
  const columns =
    "id, key, folder, name, type, size, part_size, status, duration_seconds, audio_start, created_by, created_at, completed_at";
  await env.DB.prepare(
    `insert into files (${columns})
    values (?, ?, 'podcast-audio', 'recording.mp3', 'audio/mpeg', ?, 8388608, 'complete', ?, 0, 'owner', 1, 1)`,
  )
    .bind(id, key, bytes.length, seconds)
    .run();
}
