import { cutTo, whole, type Length } from "#worker/files/audio/length.ts";
import { measureMp3 } from "#worker/files/audio/mpeg.ts";
import { readStated, type Stated } from "#worker/files/audio/mp3-head.ts";

/** Two of the longest frames: some encoders count the tag's own frame, some do not. */
const TOLERANCE_BYTES = 2 * 1441;
/** An appended recording has at least this, unlike a tag in which some bytes look like frames. */
const SHORTEST_SECONDS = 1;
const LEAST_SOUND = 0.5;

/** `start`: bytes before the first frame. */
export async function readMp3Length(file: Blob, start: number): Promise<Length> {
  const stated = await readStated(file, start);
  // Only an encoder's count is trusted, not an estimate from the first frames.
  if (!stated) return whole((await measureMp3(file, start)).seconds);
  const end = stated.bytes && start + stated.bytes;
  if (end === null || end - file.size > TOLERANCE_BYTES) {
    const there = Math.max(0, (await measureMp3(file, start)).seconds - stated.head);
    return there - stated.seconds >= SHORTEST_SECONDS ? joined(there, stated) : cutTo(there, stated.seconds);
  }
  if (file.size - end <= TOLERANCE_BYTES) return whole(stated.seconds);
  const rest = await measureMp3(file, end);
  const isSound = rest.seconds >= SHORTEST_SECONDS && rest.share >= LEAST_SOUND;
  return isSound ? joined(stated.seconds + rest.seconds, stated) : whole(stated.seconds);
}

const joined = (seconds: number, stated: Stated): Length => ({
  seconds,
  flaw: "joined",
  statedSeconds: stated.seconds,
});
