import { useAtomValue, useStore } from "jotai";
import { useEffect } from "react";
import { cx } from "#site/ui/cx.ts";
import { heardAtom, heardLabel, heardPart } from "./heard.ts";
import { isListenerAtom } from "./listener.ts";

type Heard = { episode: { id: number; durationSeconds: number }; className?: string };

/** How far the listener got in an episode. Only who has listened fetches it; its place is there before. */
function useHeard(id: number) {
  const isListener = useAtomValue(isListenerAtom);
  const store = useStore();
  useEffect(() => {
    if (isListener)
      import("./progress.ts").then(({ readProgress }) => readProgress(store)).catch(console.error);
  }, [isListener, store]);
  return useAtomValue(heardAtom).get(id);
}

/** A thin line along the lower edge of what it stands in, which is positioned. */
export function HeardLine({ episode: { id, durationSeconds }, className }: Heard) {
  const part = heardPart(useHeard(id), durationSeconds);
  return (
    part > 0 && (
      <span aria-hidden className={cx("absolute inset-x-0 bottom-0 h-1 bg-rule", className)}>
        <span className="block h-full bg-accent" style={{ width: `${part * 100}%` }} />
      </span>
    )
  );
}

export function HeardWords({ episode: { id, durationSeconds }, className }: Heard) {
  const label = heardLabel(useHeard(id), durationSeconds);
  return label && <span className={className}>{label}</span>;
}

/** Both, over the lower edge of a large picture. A press goes through to what lies below. */
export const HeardOver = ({ episode }: Pick<Heard, "episode">) => (
  <span className="pointer-events-none">
    <HeardLine episode={episode} />
    <HeardWords
      episode={episode}
      className="figures absolute bottom-1 left-0 bg-paper px-2.5 py-1 text-sm font-medium"
    />
  </span>
);
