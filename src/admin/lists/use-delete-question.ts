import { useState } from "react";
import { useNavigation } from "react-router";

/**
 * Which item of a list the question before deleting is about. It stays open until the list is new, so that the focus
 * returns to what is left of it. `answer` is the page's `actionData`.
 */
export function useDeleteQuestion<T>(answer: unknown) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const [asked, setAsked] = useState<{ item: T; lastAnswer: unknown } | null>(null);
  // For good: the next navigation takes the answer away again.
  if (asked && !isDeleting && asked.lastAnswer !== answer) setAsked(null);
  return {
    item: asked?.item ?? null,
    ask: (item: T) => setAsked({ item, lastAnswer: answer }),
    close: () => setAsked(null),
  };
}
