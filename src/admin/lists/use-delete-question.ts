import { useState } from "react";
import { useNavigation } from "react-router";

/**
 * The item that the deletion dialog is about. The dialog stays open until the list has reloaded, so that the focus
 * returns to a remaining row. `answer` is the page's `actionData`.
 */
export function useDeleteQuestion<T>(answer: unknown) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const [asked, setAsked] = useState<{ item: T; lastAnswer: unknown } | null>(null);
  // Cleared for good, because the next navigation removes the answer.
  if (asked && !isDeleting && asked.lastAnswer !== answer) setAsked(null);
  return {
    item: asked?.item ?? null,
    ask: (item: T) => setAsked({ item, lastAnswer: answer }),
    close: () => setAsked(null),
  };
}
