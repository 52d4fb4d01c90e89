import { siteContext } from "#site/context.ts";
import { readEpisodeEmbed } from "#worker/embeds/queries.ts";
import { momentIn } from "#worker/episodes/start-at.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";
import type { Route } from "./+types/episode.ts";
import { answerEmbed } from "./answer.server.tsx";

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  answerEmbed(readEpisodeEmbed(context.get(siteContext), idInPath(params.id)), momentIn(url.searchParams));
