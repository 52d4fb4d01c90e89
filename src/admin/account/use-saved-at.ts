import { useState } from "react";
import type { AccountResult } from "./save.ts";

/**
 * When a form was last saved: a key for its fields, which begin anew then, so that nobody's password stays on the screen.
 * It outlives the answers to other forms of the page.
 */
export function useSavedAt(own: AccountResult | undefined) {
  const [savedAt, setSavedAt] = useState(own?.savedAt);
  if (own?.savedAt && own.savedAt !== savedAt) setSavedAt(own.savedAt);
  return savedAt;
}
