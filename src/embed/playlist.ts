import { siteContext } from "#site/context.ts";
import { readPlaylistEmbed } from "#worker/embeds/queries.ts";
import type { Route } from "./+types/playlist.ts";
import { answerEmbed } from "./answer.server.tsx";

export const loader = ({ context, params }: Route.LoaderArgs) =>
  answerEmbed(readPlaylistEmbed(context.get(siteContext), params.id));
