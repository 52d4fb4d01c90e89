type Props = { status: string; scheduledFor?: number | null };

/** The status that is stored, beside the one that the form chooses: the toast says what a save changed. */
export const SavedStatus = ({ status, scheduledFor = null }: Props) => (
  <>
    <input type="hidden" name="savedStatus" value={status} />
    <input type="hidden" name="savedPlan" value={scheduledFor ?? ""} />
  </>
);
