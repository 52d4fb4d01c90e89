import { useAtomValue, useStore } from "jotai";
import { useEffect } from "react";
import { cx } from "#site/ui/cx.ts";
import { progressAtom, progressLabel, progressFraction } from "./core/progress.ts";
import { isListenerAtom } from "./listener.ts";

type MarkProps = { episode: { id: number; durationSeconds: number }; className?: string };

/** The listener's progress in an episode. A new listener fetches nothing. */
function useEpisodeProgress(id: number) {
  const isListener = useAtomValue(isListenerAtom);
  const store = useStore();
  useEffect(() => {
    if (isListener)
      import("./progress-sync.ts").then(({ readProgress }) => readProgress(store)).catch(console.error);
  }, [isListener, store]);
  return useAtomValue(progressAtom).get(id);
}

/** A thin line along the lower edge of a positioned parent. */
export function ProgressLine({ episode: { id, durationSeconds }, className }: MarkProps) {
  const part = progressFraction(useEpisodeProgress(id), durationSeconds);
  return (
    part > 0 && (
      <span aria-hidden className={cx("absolute inset-x-0 bottom-0 h-1 bg-rule", className)}>
        <span
          className="block h-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${part * 100}%` }}
        />
      </span>
    )
  );
}

export function ProgressLabel({ episode: { id, durationSeconds }, className }: MarkProps) {
  const label = progressLabel(useEpisodeProgress(id), durationSeconds);
  return label && <span className={className}>{label}</span>;
}

/** Line and label over the lower edge of a large picture. Presses go through. */
export const ProgressOverlay = ({ episode }: Pick<MarkProps, "episode">) => (
  <span className="pointer-events-none">
    <ProgressLine episode={episode} />
    <ProgressLabel
      episode={episode}
      className="figures absolute bottom-1 left-0 bg-paper px-2.5 py-1 text-sm font-medium"
    />
  </span>
);
