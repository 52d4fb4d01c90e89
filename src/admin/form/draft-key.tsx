import { useState } from "react";
import { useHydrated } from "#site/ui/use-hydrated.ts";

/** The idempotency key of a new item: if the answer to its first save is lost, the next save updates the same item. */
export function DraftKey() {
  const [key] = useState(() => crypto.randomUUID());
  // The server would render a different key.
  const isHydrated = useHydrated();
  return <input type="hidden" name="draftKey" value={isHydrated ? key : ""} />;
}
