import { useEffect, useState, type ReactNode } from "react";
import { useFetcher } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryDetails } from "#worker/enquiries/owner/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { DeleteDialog, MailsStay } from "../lists/list-page.tsx";
import { draftOf, textOf } from "./draft.ts";
import { History } from "./history.tsx";
import { MailDialog, useMailDialog } from "./mail-dialog.tsx";
import { boxAddress, kinds } from "./enquiry-kinds.ts";
import { Notes } from "./notes.tsx";
import { CancelsRecording } from "./recording.tsx";
import { BoxBadge, Decision, Fact, mayAnswer, SpamButton, WhyHidden } from "./parts.tsx";

type Props = {
  kind: EnquiryKind;
  enquiry: EnquiryDetails;
  /** Further fields of the kind. */
  facts: ReactNode;
  /** Actions that turn it into something else. */
  children?: ReactNode;
};

/** The page of one enquiry: its fields, its status and notes, and the emails to its sender. */
export function EnquiryPage({ kind, enquiry, facts, children }: Props) {
  const { id, box, title, name, email, createdAt, spamReason, mails } = enquiry;
  const { written, write, close } = useMailDialog();
  useSeen(enquiry);
  return (
    <>
      <Link to={boxAddress(kind, "all")} className="link mb-4 inline-block text-sm">
        {`All ${kinds[kind].noun}`}
      </Link>
      <header className="mb-6 grid gap-3">
        <h1 className="max-w-3xl text-left text-xl font-semibold wrap-anywhere" dir="auto">
          {kind === "application" ? name : title}
        </h1>
        <p>
          <BoxBadge box={box} />
        </p>
        <WhyHidden box={box} spamReason={spamReason} />
        <ButtonRow className="gap-2">
          {kind === "application" && <Decision application={enquiry} recording={enquiry.recording} />}
          {mayAnswer(enquiry) && (
            <Button
              tone={kind === "application" ? "quiet" : "primary"}
              size="sm"
              onClick={() => write(draftOf(kind, enquiry))}
            >
              {kind === "application" ? "Send Email" : "Answer by email"}
            </Button>
          )}
          {kind !== "application" && <DoneButton id={id} box={box} />}
          <SpamButton enquiry={enquiry} />
        </ButtonRow>
      </header>
      <dl className="grid max-w-3xl gap-x-6 gap-y-3 border-t border-rule pt-4 text-sm sm:grid-cols-[auto_1fr]">
        <Fact name="Name">{name}</Fact>
        <Fact name="Email">{email}</Fact>
        {facts}
        <Fact name={receivedAs(enquiry)}>
          <DateTime at={createdAt} format={formatDateTime} />
        </Fact>
      </dl>
      {textOf(enquiry) !== "" && (
        <p className="mt-6 max-w-3xl whitespace-pre-line wrap-anywhere" dir="auto">
          {textOf(enquiry)}
        </p>
      )}
      {children}
      <Notes id={id} notes={enquiry.notes} notesAt={enquiry.notesAt} />
      <History mails={mails} email={email} />
      <Deletion kind={kind} enquiry={enquiry} />
      <MailDialog written={written} close={close} />
    </>
  );
}

function receivedAs({ fields }: EnquiryDetails) {
  if ("addedBy" in fields) return "Added";
  return "position" in fields ? "Applied" : "Received";
}

/** Opening a new message or booking reads it. */
function useSeen({ id, box }: Pick<EnquiryDetails, "id" | "box">) {
  const { submit } = useFetcher();
  useEffect(() => {
    if (box === "new") void submit({ intent: "seen", id }, { method: "post" });
  }, [submit, id, box]);
}

function DoneButton({ id, box }: Pick<EnquiryDetails, "id" | "box">) {
  const values = { id: String(id) };
  if (box === "done") {
    return (
      <ActionButton intent="reopen" values={values} size="sm">
        Reopen
      </ActionButton>
    );
  }
  if (box !== "new" && box !== "read") return null;
  return (
    <ActionButton intent="done" values={values} size="sm">
      Mark done
    </ActionButton>
  );
}

function Deletion({ kind, enquiry: { id, name, recording } }: Pick<Props, "kind" | "enquiry">) {
  const [isAsked, setAsked] = useState(false);
  const noun = kinds[kind].noun.replace(/s$/, "");
  return (
    <section className="mt-8 max-w-3xl border-t border-rule pt-6">
      <Button tone="danger" onClick={() => setAsked(true)}>
        {`Delete ${noun}`}
      </Button>
      <DeleteDialog
        item={isAsked ? { id } : null}
        onClose={() => setAsked(false)}
        noun={noun}
        renderText={() => (
          <>
            <p className="wrap-anywhere">
              Everything <bdi>{name}</bdi> sent, your notes and your emails to them move to the bin for 30
              days.
            </p>
            <MailsStay />
            {recording && (
              <p className="mt-3">
                <CancelsRecording at={recording.at} />
              </p>
            )}
          </>
        )}
      />
    </section>
  );
}
