import { useState } from "react";
import type { OwnerComment } from "#worker/comments/contract.ts";
import { useClosing, type Question } from "../../form/leaving.ts";
import { isFormResult } from "../../form/result.ts";

export type Answering = ReturnType<typeof useAnswering>;

const DISCARD: Question = {
  title: "Discard your answer?",
  confirm: "Discard",
  text: "Your answer isn’t published yet, and its comment is leaving this list.",
};

/**
 * Which of the listed comments is being answered. Its form stays open until the answer is published. `answer` is the page's
 * `actionData`.
 */
export function useAnswering(answer: unknown, comments: OwnerComment[]) {
  const [opened, setOpened] = useState<{ id: number; lastAnswer: unknown } | null>(null);
  const isPublished =
    opened !== null &&
    answer !== opened.lastAnswer &&
    isFormResult(answer) &&
    answer.intent === "answer" &&
    answer.errors === null;
  const isListed = opened !== null && comments.some(({ id }) => id === opened.id);
  // The page's next answer is about something else, and a comment that left the list may come back with another one.
  if (isPublished || (opened && !isListed)) setOpened(null);
  const { id: part, leave, isUnsaved } = useClosing();
  const isAmong = (some: OwnerComment[]) => some.some(({ id }) => id === opened?.id);
  return {
    id: isPublished ? null : (opened?.id ?? null),
    open: (id: number) => leave(() => setOpened({ id, lastAnswer: answer })),
    /** Takes these comments out of the list, and asks before an answer to one of them is lost. */
    remove: (some: OwnerComment[], go: () => void) => (isAmong(some) ? leave(go, DISCARD) : go()),
    isUnsavedAmong: (some: OwnerComment[]) => isAmong(some) && isUnsaved(),
    part: { id: part, close: () => leave(() => setOpened(null)) },
  };
}
