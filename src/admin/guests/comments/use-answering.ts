import { useState } from "react";
import { useClosing } from "../../form/leaving.ts";
import { isFormResult } from "../../form/result.ts";

export type Answering = ReturnType<typeof useAnswering>;

/** Which comment is being answered. Its form stays open until the answer is published. `answer` is the page's `actionData`. */
export function useAnswering(answer: unknown) {
  const [opened, setOpened] = useState<{ id: number; lastAnswer: unknown } | null>(null);
  const isPublished =
    opened !== null &&
    answer !== opened.lastAnswer &&
    isFormResult(answer) &&
    answer.intent === "answer" &&
    answer.errors === null;
  // The next answer of the page is about something else.
  if (isPublished) setOpened(null);
  const { id: part, leave } = useClosing();
  return {
    id: isPublished ? null : (opened?.id ?? null),
    open: (id: number) => leave(() => setOpened({ id, lastAnswer: answer })),
    part: { id: part, close: () => leave(() => setOpened(null)) },
  };
}
