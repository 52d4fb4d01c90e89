import { useState } from "react";
import type { Status } from "../publishing/statuses.ts";

type Props = { status: string; scheduledFor?: number | null };

/** The stored status, next to the chosen one, so that the toast can name the change. */
export const SavedStatus = ({ status, scheduledFor = null }: Props) => (
  <>
    <input type="hidden" name="savedStatus" value={status} />
    <input type="hidden" name="savedPlan" value={scheduledFor ?? ""} />
  </>
);

/** The chosen status; reset when the stored one changes. */
export function useStoredStatus(stored: Status) {
  const [chosen, setChosen] = useState<Status>(stored);
  const [before, setBefore] = useState(stored);
  if (stored !== before) {
    setBefore(stored);
    setChosen(stored);
  }
  return [chosen, setChosen] as const;
}
