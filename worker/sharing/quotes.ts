import { isAllowed } from "#worker/access/capabilities.ts";
import { paragraphsOf } from "#worker/episodes/paragraphs.ts";
import { readEpisode, readEpisodeForPreview } from "#worker/episodes/queries.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import { keyOfMedia } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { isLongerThan, MOST_UNITS } from "#worker/platform/text/graphemes.ts";
import { readPreviewToken } from "#worker/previews/preview-links.ts";
import { readSite } from "#worker/settings/queries.ts";
import {
  LONGEST_QUOTE,
  quotePath,
  wholeWords,
  type QuotePlace,
  type QuoteShape,
} from "#worker/sharing/quote-address.ts";
import { readSharePicture } from "#worker/sharing/pictures.ts";
import type { ShareSubject } from "#worker/sharing/subject.ts";

type Asked = QuotePlace & {
  episodeId: number;
  shape: QuoteShape;
  /** Of a preview link, for an episode that is not published. */
  token?: string;
  /** The caller's If-None-Match. */
  tags?: string;
};

/**
 * A picture of words in an episode’s transcript. They are read from the stored transcript, so that a picture shows nothing
 * else. `isPublic` is false for an episode that is not published: its users and those with its preview link may read it.
 * @throws `not_found`; `invalid` for too many words; `too_many`
 */
export async function readQuotePicture(ctx: Context, asked: Asked) {
  const { episodeId, paragraph, shape } = asked;
  // Before anything is read: to count the characters of a whole transcript takes half a second.
  if (asked.to - asked.from > LONGEST_QUOTE * MOST_UNITS) throw tooLong();
  const [{ episode, isPublic }, show, site] = await Promise.all([
    readEpisodeWithWords(ctx, asked),
    readShow(ctx),
    readSite(ctx),
  ]);
  const paragraphs =
    episode.plainTranscript === ""
      ? paragraphsOf(episode.transcript)
      : [{ speaker: "", text: episode.plainTranscript }];
  const said = paragraphs[paragraph];
  const found = said && wholeWords(said.text, asked.from, asked.to);
  if (!found) throw noSuchWords();
  if (isLongerThan(LONGEST_QUOTE, found.words)) throw tooLong();
  const label = show?.title ?? site.name;
  const subject: ShareSubject = {
    title: episode.title,
    label: label === episode.title ? "" : label,
    cover: keyOfMedia((episode.picture ?? show?.artwork)?.src),
    seed: episode.id,
    figure: episode.episodeNumber,
    quote: { text: found.words, speaker: said.speaker, shape },
  };
  // Selections that differ by a part of a word have the same picture.
  const path = quotePath(episodeId, { paragraph, from: found.from, to: found.to }, shape);
  return { ...(await readSharePicture(ctx, path, subject, asked.tags)), isPublic };
}

async function readEpisodeWithWords(ctx: Context, { episodeId, token }: Asked) {
  const mayRead =
    isAllowed("edit", ctx) || (token !== undefined && (await isPreviewOf(ctx, episodeId, token)));
  if (!mayRead) return { episode: await readEpisode(ctx, episodeId), isPublic: true };
  const { episode, status } = await readEpisodeForPreview(ctx, episodeId);
  return { episode, isPublic: status === "published" };
}

async function isPreviewOf(ctx: Context, episodeId: number, token: string) {
  const { kind, item } = await readPreviewToken(ctx, token);
  return kind === "episode" && item === String(episodeId);
}

const noSuchWords = () => new AppError("not_found", "The transcript has no such words. Load the page again.");
const tooLong = () =>
  new AppError("invalid", `At most ${LONGEST_QUOTE} characters fit on a picture. Select fewer words.`);
