import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { HeldCounts } from "#worker/people/contract.ts";
import { inNumbers } from "./record-titles.ts";

type Person = { email: string; counts: HeldCounts; hasAccount: boolean };

/** Lists the records that are deleted and those that are not. */
export function DeletePerson({ person, onClose }: { person: Person | null; onClose: () => void }) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={person !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete everything about this person?"
      confirm="Delete everything"
      busy={isBusy}
      onConfirm={() => person && void submit({ intent: "delete", email: person.email }, { method: "post" })}
    >
      {person && <Consequences {...person} />}
    </ConfirmDialog>
  );
}

const Consequences = ({ email, counts, hasAccount }: Person) => (
  <div className="grid gap-3">
    <p className="wrap-anywhere">{`This is what you hold about ${email}:`}</p>
    <ul className="list-disc pl-5">
      {inNumbers(counts).map(({ kind, words }) => (
        <li key={kind}>{words}</li>
      ))}
    </ul>
    <p>
      This can’t be undone. Emails not sent yet are cancelled. If they’re invited to an upcoming recording,
      one last email cancels it, and isn’t stored.
    </p>
    {counts.subscription > 0 && (
      <p>
        If they unsubscribed, that’s forgotten too, and a later import may add them again. To make sure they
        get no letters, unsubscribe them instead.
      </p>
    )}
    {counts.letters > 0 && <p>Their letters still count in your totals, anonymously.</p>}
    {counts.comments > 0 && <p>Other people’s answers to their comments stay.</p>}
    {counts.engagements > 0 && (
      <p>Engagements and their notes stay, without the contact’s address and phone.</p>
    )}
    {hasAccount && (
      <p>They also have an account with this address, which stays. Delete it in the Users tab.</p>
    )}
  </div>
);
