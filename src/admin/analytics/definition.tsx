import { useId } from "react";
import { CircleQuestionMark } from "lucide-react";
import { Button } from "#site/ui/button.tsx";
import { definitions, type DefinedFigure } from "./definitions.ts";

/**
 * What a figure counts, behind a button. A popover: the browser opens it, and closes it on Escape and a press beside it,
 * without scripts too.
 */
export function Definition({ of }: { of: DefinedFigure }) {
  const id = useId();
  const { title, text } = definitions[of];
  const anchor = `--${id}`;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        style={{ anchorName: anchor }}
        aria-label={`What is counted: ${title}`}
        className="-my-1.5 inline-grid size-8 shrink-0 place-items-center rounded-full text-muted hover:bg-tint hover:text-ink"
      >
        <CircleQuestionMark aria-hidden size={16} />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        style={{ positionAnchor: anchor }}
        // Read out when it opens; the browser takes the focus back to the button.
        onToggle={({ newState, currentTarget }) => newState === "open" && currentTarget.focus()}
        className="definition max-w-sm sm:w-80 animate-appear rounded-lg border border-rule bg-raised p-4 text-sm font-normal text-ink shadow-float outline-none"
      >
        <p id={`${id}-title`} className="font-semibold">
          {title}
        </p>
        <p id={`${id}-text`} className="mt-1 text-muted">
          {text}
        </p>
        <Button size="sm" popoverTarget={id} popoverTargetAction="hide" className="mt-3">
          Close
        </Button>
      </div>
    </>
  );
}
