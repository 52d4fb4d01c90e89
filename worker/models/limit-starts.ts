import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";

const DAY = 86_400;
/** Transcriptions and proposals that users may begin or continue in a day: of one episode, and of all. Each may cost money. */
export const MOST_STARTS = { episode: 20, site: 200 };

/**
 * Counts a start or a continuation by a user, whose mistake or whose thief would otherwise spend without an end. Called
 * once nothing else refuses it.
 * @throws `too_many`
 */
export async function limitStarts(ctx: Context, episodeId: number) {
  if (ctx.actor.kind === "job") return;
  const hasRoom = await countWithinLimits(ctx, [
    { subject: `models:episode:${episodeId}`, most: MOST_STARTS.episode, seconds: DAY },
    { subject: "models:site", most: MOST_STARTS.site, seconds: DAY },
  ]);
  if (!hasRoom) throw new AppError("too_many", TOO_MANY, { retryAfter: DAY });
}

const TOO_MANY = `In a day at most ${MOST_STARTS.episode} transcriptions and proposals can be started for an episode, and ${MOST_STARTS.site} for all. Try again tomorrow.`;
