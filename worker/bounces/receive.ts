import { takeReturnedMail } from "#worker/bounces/commands.ts";
import { readReturnedMail } from "#worker/bounces/returned-mail.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Bytes: a report is read no further. It begins with its fields, and the returned letter with its headers. Anyone may send
 * one, and of a megabyte the parser makes hundreds.
 */
export const MOST_OF_A_REPORT = 128 * 1024;

/** Processes an email to the address that letters come from. Returns why it is refused, for its sender; null if it is not. */
export async function receiveReturnedMail(ctx: Context, raw: ReadableStream<Uint8Array>) {
  const mail = await readReturnedMail(await beginningOf(raw));
  if (await takeReturnedMail(ctx, mail)) return null;
  return `This address takes reports of undelivered letters only. Please write to us at ${ctx.config.siteUrl}/contact instead.`;
}

async function beginningOf(raw: ReadableStream<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of raw) {
    const part = piece.subarray(0, MOST_OF_A_REPORT - size);
    pieces.push(part);
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size === MOST_OF_A_REPORT) break;
  }
  return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
}
