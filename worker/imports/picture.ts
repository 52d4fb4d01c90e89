import { maxBytes } from "#worker/files/contract.ts";
import { beginTransfer, finishTransfer, storeTransferPart } from "#worker/files/transfers.ts";
import { ask, bytesOf, HostError } from "#worker/imports/feed/download.ts";
import type { Context } from "#worker/platform/context.ts";

const FOLDER = "articles";
const HEADERS = { Accept: "image/*", "User-Agent": "Rostrum" };

/**
 * Fetches a picture from another place into a file of its own; returns the file's id. What is not used in the end is swept.
 * @throws {HostError}; `invalid`, `unsupported_type` for what is no picture
 */
export async function fetchPicture(ctx: Context, address: string) {
  const bytes = await bytesOf(await ask(ctx, address, { headers: HEADERS }), maxBytes(FOLDER) - 1);
  if (bytes.length === 0) throw new HostError("It is empty.", { isTemporary: false });
  const id = await beginTransfer(ctx, { name: nameOf(address), folder: FOLDER });
  await storeTransferPart(ctx, { id, number: 1, bytes });
  await finishTransfer(ctx, id);
  return id;
}

/** The last word of an address; the bytes decide the ending. */
function nameOf(address: string) {
  const word = URL.parse(address)
    ?.pathname.split("/")
    .at(-1)
    ?.replaceAll(/[^\w.-]+/g, "-");
  return word?.slice(0, 60) || "picture";
}
