import { HostError } from "#worker/imports/feed/download.ts";
import { fetchPicture } from "#worker/imports/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { uuidOf } from "#worker/platform/data/random.ts";

export type Fetched =
  | { is: "here"; id: string; url: string }
  /** A later attempt may succeed. */
  | { is: "later"; why: string }
  | { is: "gone"; why: string };

/** Fetches a picture of an article. The same address gives one file, however many articles show it. */
export async function bringPicture(ctx: Context, address: string, alt: string): Promise<Fetched> {
  const id = await uuidOf(`picture ${address}`);
  try {
    const { url } = await fetchPicture(ctx, address, { id, folder: "articles", alt });
    return { is: "here", id, url };
  } catch (error) {
    if (error instanceof HostError)
      return { is: error.isTemporary ? "later" : "gone", why: inSentence(error.message) };
    if (!(error instanceof AppError)) throw error;
    return { is: "gone", why: error.code === "unsupported_type" ? NO_PICTURE : inSentence(error.message) };
  }
}

const NO_PICTURE = "it isn’t a picture that browsers can show";

const inSentence = (message: string) => message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
