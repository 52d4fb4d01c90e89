import { Pause, Play } from "#site/ui/icons.tsx";
import { playAttributes } from "#site/document/early-play.ts";
import { buttonClass } from "#site/ui/button.tsx";
import type { Track } from "./core/playback.ts";
import { usePlayPress } from "./play-button.tsx";

type RowPlayProps = {
  /** The list; the other tracks follow on the listener's choice. */
  tracks: Track[];
  /** Index of the row's track. */
  index: number;
};

/** The play button of a row in a list of episodes. While its episode is current, pauses and resumes it. */
export function RowPlay({ tracks, index }: RowPlayProps) {
  const { state, press } = usePlayPress(tracks, { index });
  const { title, audioUrl } = tracks[index] ?? {};
  if (!audioUrl) return null;
  const does = state === "playing" ? "Pause" : "Play";
  const Icon = state === "playing" ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={`${does} ${title}`}
      title={does}
      onClick={press}
      className={`${buttonClass({ size: "icon" })} script-only rounded-full! text-accent!`}
      {...playAttributes(audioUrl)}
    >
      <Icon aria-hidden size={16} fill="currentColor" />
    </button>
  );
}
