import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { decoded } from "#worker/platform/text/decoded.ts";

export type Files = ReturnType<typeof filesIn>;

/** Writes files below a folder by their addresses, and counts them. */
export function filesIn(folder: string) {
  const written = { files: 0, bytes: 0 };
  /** An address never leaves the folder. */
  const placeFor = async (address: string) => {
    const path = resolve(folder, `.${decoded(address)}`);
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${address} is outside of the folder.`);
    await mkdir(dirname(path), { recursive: true });
    written.files += 1;
    return path;
  };
  return {
    written,
    async save(address: string, content: string) {
      await writeFile(await placeFor(address), content);
      written.bytes += Buffer.byteLength(content);
    },
    async saveBody(address: string, { body }: Response) {
      const stream = createWriteStream(await placeFor(address));
      await pipeline(body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : [], stream);
      written.bytes += stream.bytesWritten;
    },
  };
}
