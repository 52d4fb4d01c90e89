import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. In a container it often has no room. */
const IN_MEMORY = "/dev/shm";
const ROOM = 2 * 1024 ** 3;

/**
 * A folder for temporary files, in memory if possible. The local stand-ins for D1, R2 and the Cache API wait for the disk
 * after each write, in the one thread that everything runs in; the platform's do not. `room`: bytes that the files may take.
 */
export function folderInMemory(room = ROOM) {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= room) return IN_MEMORY;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}
