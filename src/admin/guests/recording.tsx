import { useNavigation } from "react-router";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { ConfirmAction } from "../lists/confirm-action.tsx";

const INTENT = "cancel-recording";

type Props = { id: number; name: string; at: number };

/** The recording that an applicant is invited to. */
export function PlannedRecording({ id, name, at }: Props) {
  const isBusy = useNavigation().formData?.get("intent") === INTENT;
  return (
    <section aria-labelledby="recording" className="mt-8 grid max-w-3xl gap-3 border-t border-rule pt-6">
      <h2 id="recording" className="font-semibold">
        Recording
      </h2>
      <p>
        <DateTime at={at} format={formatDateTime} />
      </p>
      <p className="text-sm text-muted">
        A new invitation moves it in the guest’s calendar. Rejecting or deleting the application cancels it.
      </p>
      <div>
        <ConfirmAction
          intent={INTENT}
          label="Cancel the recording"
          title="Cancel this recording?"
          confirm="Cancel the recording"
          dismiss="Keep it"
          tone="danger"
          busy={isBusy}
          values={{ id: String(id) }}
        >
          <bdi>{name}</bdi> gets an email that removes it from their calendar.
        </ConfirmAction>
      </div>
    </section>
  );
}

/** The effect of a decision on the recording. */
export const CancelsRecording = ({ at }: { at: number }) => (
  <span>
    An email cancels the recording on <DateTime at={at} format={formatDateTime} />.
  </span>
);
