import type { ForeignPost } from "./export.ts";
import type { WxrItem } from "./wxr.ts";

/** The types of posts that Seriously Simple Podcasting and Podlove make. */
const PODCAST_TYPES = new Set(["podcast", "ssp_podcast"]);
/** The plugins' shortcodes for a player. */
const PLAYERS = /\[(?:powerpress|podcast_episode|ss_player|ss_podcast)\b[^\]]{0,500}\]/gi;
const PLAYER_BLOCKS = /<!--\s+wp:(?:seriously-simple-podcasting|powerpress|blubrry)\//;

/**
 * The audio of an episode from PowerPress and Seriously Simple Podcasting, which store it beside the text; null if
 * there is none. WordPress itself also records each audio file that a text links to: these are part of the text.
 */
export function audioOf(
  { fields, meta }: WxrItem,
  content: string,
  siteUrl: string | null,
): ForeignPost["audio"] | null {
  const enclosure = [...meta].find(([key]) => key === "enclosure" || key.endsWith(":enclosure"))?.[1];
  const [address = "", , type = "", values = ""] = (enclosure ?? "")
    .split(/\r?\n/)
    .map((line) => line.trim());
  const own = meta.get("audio_file")?.trim() ?? "";
  const isPodcast = PODCAST_TYPES.has(fields.get("wp:post_type")?.trim() ?? "");
  const hasPlayer = content.search(PLAYERS) >= 0 || PLAYER_BLOCKS.test(content);
  const isPlugin = own !== "" || values !== "" || isPodcast || hasPlayer || meta.has("_podPressMedia");
  const isAudio =
    /^(?:audio|video)\//.test(type) || /\.(?:mp3|m4a|ogg|opus|wav|mp4|m4v)(?:[?#]|$)/i.test(address);
  if (!isPlugin && !(isAudio && !content.includes(address))) return null;
  const url = own || (isAudio && address) || null;
  return { url, feed: siteUrl === null ? null : `${siteUrl}/feed/${isPlugin ? "podcast/" : ""}` };
}

/** A text without the players of its own audio, which the episode has. */
export const withoutPlayers = (content: string) => content.replace(PLAYERS, "");
