import { Check, Download, X } from "lucide-react";
import { canWorkOffline, failures, useKeeping, type Outcome } from "#site/player/offline.ts";
import { useToast } from "#site/shell/toast.ts";
import type { Notice } from "#site/ui/toast.tsx";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { MenuItem } from "./menu.tsx";

type Props = { episode: EpisodeSummary; onChoose: (act: () => void) => void };

/** Saves the episode on the device for offline playback. Renders nothing in browsers without offline support. */
export const KeepItem = (props: Props) => canWorkOffline() && props.episode.audioUrl && <Keep {...props} />;

function Keep({ episode, onChoose }: Props) {
  const { Icon, label, act } = useChoice(episode);
  return (
    <div role="none" className="mt-1.5 border-t border-rule pt-1.5">
      <MenuItem onSelect={() => onChoose(act)}>
        <Icon aria-hidden size={16} className="shrink-0 text-muted" />
        <span>{label}</span>
      </MenuItem>
    </div>
  );
}

function useChoice(episode: EpisodeSummary) {
  const say = useToast();
  const { own, keeping, keep, remove } = useKeeping(episode);
  if (own) return { Icon: Check, label: "Remove from this device", act: () => void remove(own) };
  if (keeping && "done" in keeping) return { Icon: X, label: "Cancel download", act: keeping.cancel };
  const download = async () => {
    say({ kind: "success", title: "Download started", description: episode.title });
    const notice = noticeOf(await keep(), episode.title);
    if (notice) say(notice);
  };
  return { Icon: Download, label: "Keep offline", act: () => void download() };
}

function noticeOf(outcome: Outcome, title: string): Notice | null {
  if (outcome === "stopped") return null;
  if (outcome === "kept") return { kind: "success", title: "Kept offline", description: title };
  return { kind: "error", title: "Not kept offline", description: failures[outcome] };
}
