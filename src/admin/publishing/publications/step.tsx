import { Check, Clock, Minus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { Step, StepName } from "#worker/publications/contract.ts";

const names: Record<StepName, string> = {
  page: "Page",
  feed: "Feed",
  search: "Search",
  cache: "Cache",
  ping: "Hub",
  letter: "Letter",
};

const states = {
  done: { word: "Done", Icon: Check, tone: "text-accent" },
  waiting: { word: "Waiting", Icon: Clock, tone: "text-muted" },
  failed: { word: "Failed", Icon: X, tone: "text-danger" },
  none: { word: "Not applicable", Icon: Minus, tone: "text-muted" },
};

type Props = { step: Step; onRetry: () => Promise<void> };

/** The state of one step, and its time. */
export function StepRow({ step, onRetry }: Props) {
  const { name, state, at, detail } = step;
  const { word, Icon, tone } = states[state];
  return (
    <li className="grid grid-cols-[1.25rem_1fr] gap-x-3 gap-y-1 border-b border-rule py-2.5 text-sm sm:grid-cols-[1.25rem_8rem_1fr_auto]">
      <Icon aria-hidden size={18} className={`mt-0.5 ${tone}`} />
      <p className="font-medium">
        <span>{names[name]}</span>
        <span className={`ml-2 text-sm font-normal ${state === "none" ? "sr-only" : tone}`}>{word}</span>
      </p>
      <p className={`wrap-anywhere max-sm:col-start-2 ${state === "failed" ? "text-danger" : "text-muted"}`}>
        {detail}
      </p>
      <div className="flex flex-wrap items-center gap-3 max-sm:col-start-2 sm:max-w-60 sm:justify-end sm:self-start">
        {state !== "none" && (
          <DateTime at={at} format={formatDateTime} className="text-sm figures text-muted" />
        )}
        {name === "ping" && state === "failed" && <Retry onRetry={onRetry} />}
      </div>
    </li>
  );
}

function Retry({ onRetry }: Pick<Props, "onRetry">) {
  const [isBusy, setBusy] = useState(false);
  const retry = () => {
    setBusy(true);
    void onRetry().finally(() => setBusy(false));
  };
  return (
    <Button size="sm" busy={isBusy} onClick={retry} aria-label="Try again to notify the hub">
      Try again
    </Button>
  );
}
