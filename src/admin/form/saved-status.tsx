import { useState } from "react";
import type { Status } from "../publishing.ts";

type Props = { status: string; scheduledFor?: number | null };

/** The status that is stored, beside the one that the form chooses: the toast says what a save changed. */
export const SavedStatus = ({ status, scheduledFor = null }: Props) => (
  <>
    <input type="hidden" name="savedStatus" value={status} />
    <input type="hidden" name="savedPlan" value={scheduledFor ?? ""} />
  </>
);

/** The status that the form chooses: what was stored, once that is another one. */
export function useStoredStatus(stored: Status) {
  const [chosen, setChosen] = useState<Status>(stored);
  const [before, setBefore] = useState(stored);
  if (stored !== before) {
    setBefore(stored);
    setChosen(stored);
  }
  return [chosen, setChosen] as const;
}
