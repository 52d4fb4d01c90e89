import { Play } from "lucide-react";
import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { formatTime } from "#site/ui/format.ts";
import type { Passage, Proposal, ProposalState } from "#worker/proposals/contract.ts";
import { copyText } from "../../shell/copy.ts";
import { useSound } from "../../sound/sound.ts";
import { textOf } from "./accept.ts";

type Props = {
  /** Tells its buttons from those of others: "Titles 2". */
  name: string;
  proposal: Proposal;
  /** The button that is pressed. */
  busy: string | undefined;
  /** What the form has in its place; empty if nothing is replaced. */
  current: () => string;
  onUse: () => void;
  onDecide: (state: ProposalState) => void;
};

/** A proposal with the passages that it is based on. */
export function ProposalCard({ name, proposal, busy, current, onUse, onDecide }: Props) {
  const { id, kind, state, passages } = proposal;
  const [replaced, setReplaced] = useState<string | null>(null);
  const text = textOf(proposal);
  const verb = state === "accepted" ? "Use again" : "Use";
  const isBusy = busy === `accepted ${id}`;
  const use = () => {
    const present = current();
    if (present === "" || present === text) onUse();
    else setReplaced(present);
  };
  if (state === "dismissed")
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <p className="min-w-0 flex-1 truncate" dir="auto">{`Dismissed: ${text}`}</p>
        <Button
          size="sm"
          tone="bare"
          aria-label={`Take back: ${name}`}
          busy={busy === `open ${id}`}
          onClick={() => onDecide("open")}
        >
          Take back
        </Button>
      </div>
    );
  return (
    <>
      <p className="whitespace-pre-line wrap-anywhere" dir="auto">
        {text}
      </p>
      <Passages name={name} passages={passages} />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" aria-label={`${verb}: ${name}`} busy={isBusy} onClick={use}>
          {verb}
        </Button>
        {kind === "message" && (
          <Button
            size="sm"
            aria-label={`Copy: ${name}`}
            onClick={() => void copyText(text, "Message copied", "message")}
          >
            Copy
          </Button>
        )}
        <Button
          size="sm"
          tone="bare"
          aria-label={`Dismiss: ${name}`}
          busy={busy === `dismissed ${id}`}
          onClick={() => onDecide("dismissed")}
        >
          Dismiss
        </Button>
        {state === "accepted" && <span className="text-sm text-muted">Used</span>}
      </div>
      <ConfirmDialog
        open={replaced !== null}
        onOpenChange={() => setReplaced(null)}
        title="Replace what the form has?"
        confirm="Replace"
        tone="primary"
        onConfirm={() => {
          setReplaced(null);
          onUse();
        }}
      >
        <dl className="grid max-h-96 gap-3 overflow-y-auto text-sm" dir="auto">
          <div>
            <dt className="font-medium text-ink">In the form</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{replaced}</dd>
          </div>
          <div>
            <dt className="font-medium text-ink">Proposed</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
          </div>
        </dl>
      </ConfirmDialog>
    </>
  );
}

function Passages({ name, passages }: { name: string; passages: Passage[] }) {
  const sound = useSound();
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted">
        {passages.length === 1
          ? `Based on the passage at ${formatTime(passages[0]!.start)}`
          : `Based on ${passages.length} passages`}
      </summary>
      <ul className="grid gap-2 pt-2">
        {passages.map(({ start, end, text }, at) => (
          <li key={`${start} ${at}`} className="flex items-baseline gap-2">
            {sound ? (
              <Button
                size="sm"
                tone="bare"
                aria-label={`Listen from ${formatTime(start)}: passage ${at + 1} of ${name}`}
                onClick={() => sound.play(start, end)}
              >
                <Play aria-hidden size={14} />
                <span className="tabular-nums">{formatTime(start)}</span>
              </Button>
            ) : (
              <span className="text-muted tabular-nums">{formatTime(start)}</span>
            )}
            <q className="min-w-0 flex-1 wrap-anywhere" dir="auto">
              {text}
            </q>
          </li>
        ))}
      </ul>
    </details>
  );
}
