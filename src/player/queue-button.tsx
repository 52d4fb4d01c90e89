import { useToast } from "#site/shell/toast.ts";
import { Button } from "#site/ui/button.tsx";
import { icon } from "#site/ui/icons.tsx";
import type { Track } from "./core/playback.ts";
import { usePlayState } from "./state.ts";
import { useAppend } from "./use-play.ts";

const ListPlus = icon("M16 5H3m8 7H3m13 7H3M18 9v6m3-3h-6");

/** Appends an episode to the queue. Disabled while it is current. */
export function QueueButton({ track }: { track: Track }) {
  const append = useAppend();
  const say = useToast();
  const isCurrent = usePlayState(track.id) !== "elsewhere";
  const press = () => {
    append(track);
    say({ kind: "success", title: "Added to the queue" });
  };
  return (
    <Button
      size="icon"
      aria-label="Add to queue"
      title="Add to queue"
      // Not `disabled`: the button keeps the focus when its episode becomes current.
      aria-disabled={isCurrent}
      className="script-only size-12!"
      onClick={isCurrent ? undefined : press}
    >
      <ListPlus aria-hidden size={20} />
    </Button>
  );
}
