import { useState } from "react";
import { useHydrated } from "#site/ui/use-hydrated.ts";

/** What the form of a new item calls it: if the answer to its first save is lost, the next one goes on with the same item. */
export function DraftKey() {
  const [key] = useState(() => crypto.randomUUID());
  // The server's would be another.
  const isHydrated = useHydrated();
  return <input type="hidden" name="draftKey" value={isHydrated ? key : ""} />;
}
