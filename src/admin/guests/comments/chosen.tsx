import { useEffect, useRef, type MouseEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import type { CommentBox, OwnerComment } from "#worker/comments/contract.ts";
import { ActionButton } from "../../form/form.tsx";
import { moves } from "./comment-boxes.ts";
import type { Answering } from "./use-answering.ts";

type Props = {
  comments: OwnerComment[];
  chosen: OwnerComment[];
  /** The open box; undefined if the list spans several boxes. */
  box: CommentBox | undefined;
  onMark: (ids: number[], isMarked: boolean) => void;
  onDelete: () => void;
  answering: Answering;
};

/** Above the list: selects all, and offers actions on the selected comments. */
export function ChosenActions({ comments, chosen, box, onMark, onDelete, answering }: Props) {
  const ids = chosen.map(({ id }) => id).join(",");
  const isAll = chosen.length === comments.length;
  const hasChosen = chosen.length > 0;
  const chooseAll = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!hasChosen) return;
    // The pressed button disappears; if the list is empty, this whole bar does.
    return () => {
      if (document.activeElement === document.body)
        // oxlint-disable-next-line react-hooks/exhaustive-deps -- The elements at cleanup time are meant.
        (chooseAll.current ?? document.querySelector("main"))?.focus();
    };
  }, [hasChosen]);
  const move = (event: MouseEvent<HTMLButtonElement>) => {
    // In a list of several boxes they stay.
    if (box === undefined) return;
    const { form } = event.currentTarget;
    event.preventDefault();
    answering.remove(chosen, () => form?.requestSubmit());
  };
  return (
    <div
      role="group"
      aria-label="Chosen comments"
      className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-t border-rule py-2 text-sm"
    >
      <label className="flex items-center gap-2.5">
        <input
          ref={chooseAll}
          type="checkbox"
          className="size-4 shrink-0"
          checked={isAll}
          onChange={(event) =>
            onMark(
              comments.map(({ id }) => id),
              event.currentTarget.checked,
            )
          }
        />
        Choose all on this page
      </label>
      {hasChosen && (
        <>
          <span role="status" className="text-muted">{`${counted(chosen.length, "comment")} chosen`}</span>
          <div className="flex flex-wrap gap-1">
            {moves[box ?? "pending"].map(({ to, label }) => (
              <ActionButton key={to} intent={to} values={{ ids }} tone="bare" size="sm" onClick={move}>
                <span>{label}</span>
                <span className="sr-only"> chosen comments</span>
              </ActionButton>
            ))}
            <Button tone="bare" size="sm" onClick={onDelete}>
              Delete
              <span className="sr-only"> chosen comments</span>
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
