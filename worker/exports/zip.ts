import type * as ZipLibrary from "@zip.js/zip.js/lib/zip-core-native.js";
import { archiveFiles } from "#worker/exports/archive.ts";
import { exporterOf, type ExportedFile } from "#worker/exports/noun-export.ts";
import { readmeForExport } from "#worker/exports/readme.ts";
import { recordExport, requireExport } from "#worker/exports/require-export.ts";
import { nouns } from "#worker/nouns/list.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";
import { streamOf } from "#worker/platform/http/stream.ts";

/**
 * The whole site as a streamed zip: a failed download leaves nothing on the server, and an interrupted zip has no
 * central directory, so that it is recognisably incomplete. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`; `conflict` during a restore
 */
export async function exportSite(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  await requireExport(ctx);
  await recordExport(ctx);
  return zipOf(ctx, filesOf(ctx));
}

async function* filesOf(ctx: Context) {
  yield* readmeForExport(ctx);
  for (const noun of nouns) yield* exporterOf(noun)?.(ctx) ?? [];
  yield* archiveFiles(ctx);
}

/**
 * zip.js writes into a stream and would start immediately, so this stream starts it on the first read. A response to
 * HEAD is never read.
 */
function zipOf(ctx: Context, files: AsyncIterable<ExportedFile>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reader = readable.getReader();
  let isBegun = false;
  let isWanted = true;
  async function write() {
    try {
      await writeZip(ctx, files, writable);
    } catch (cause) {
      // The client may cancel the download.
      if (!isWanted) return;
      logError("exports: the zip broke off", cause);
      await writable.abort(cause);
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Writes only while the response is being read.
        if (!isBegun) void write();
        isBegun = true;
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        isWanted = false;
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

async function writeZip(
  { now }: Context,
  files: AsyncIterable<ExportedFile>,
  writable: WritableStream<Uint8Array>,
) {
  const { ZipWriter: Writer, configure } = await loadZipLibrary();
  // Otherwise an entry waits, in a queue of the whole isolate, for those of paused and interrupted downloads.
  configure({ maxWorkers: Number.MAX_SAFE_INTEGER });
  const zip: ZipLibrary.ZipWriter<unknown> = new Writer(writable, { useWebWorkers: false, lastModDate: now });
  for await (const { path, text } of files) await zip.add(path, streamOf(text));
  await zip.close();
}

let library: typeof ZipLibrary | undefined;

/** On demand: 60 kB that only this uses. */
export const loadZipLibrary = async () => (library ??= await import("@zip.js/zip.js/lib/zip-core-native.js"));
