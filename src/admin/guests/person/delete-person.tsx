import { useNavigation, useSubmit } from "react-router";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { HeldCounts } from "#worker/people/contract.ts";
import { inNumbers } from "./names.ts";

type Person = { email: string; counts: HeldCounts; hasAccount: boolean };

/** Names what goes, and what stays. */
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
    <p className="wrap-anywhere">{`This is what is held about ${email}:`}</p>
    <ul className="list-disc pl-5">
      {inNumbers(counts).map(({ kind, words }) => (
        <li key={kind}>{words}</li>
      ))}
    </ul>
    <p>
      It cannot be brought back. Mails that have not left are not sent any more. Only a recording that they
      are invited to, and that is still to come, is cancelled by one last mail, of which nothing is kept.
    </p>
    {counts.subscription > 0 && (
      <p>
        That they left the newsletter, if they did, is forgotten, too: a later import may bring the address
        back. To make sure that no letter is sent to it, unsubscribe it instead.
      </p>
    )}
    {counts.letters > 0 && <p>The letters stay counted, of nobody.</p>}
    {counts.comments > 0 && <p>What others answered to the comments stays.</p>}
    {counts.engagements > 0 && (
      <p>Engagements stay with their notes, without the contact’s address and phone.</p>
    )}
    {hasAccount && <p>The account that signs in with this address stays. Delete it in the Users tab.</p>}
  </div>
);
