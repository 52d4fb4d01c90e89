import { useRef, useState, type RefObject } from "react";
import { Checkbox } from "#site/ui/controls.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { FormContext, useFormState } from "../../form/context.ts";
import { DateTimeField } from "../../form/date-time-field.tsx";
import { dateTime } from "../../form/read.ts";
import { unreadableIn, useUnreadable } from "../../form/unreadable.ts";
import { confirmationOf, type Decision, type Problem } from "./decision.ts";

export type Dates = {
  /** Milliseconds UTC; null for the time of publication. */
  publishedAt: number | null;
  /** Milliseconds UTC. */
  scheduledFor: number | null;
};

/** The state of the check before publication. */
export type Check = { state: "waiting" | "checking" | "failed" } | { state: "checked"; problems: Problem[] };

type Props = {
  open: boolean;
  onClose: () => void;
  /** "episode" */
  noun: string;
  /** Text before the check's problems. */
  intro: string;
  check: Check;
  /** The form's current dates; absent if its own fields set the time. */
  dates: Dates | undefined;
  /** It is scheduled: by the form's own fields, or in an earlier dialog. */
  isScheduled: boolean;
  /** Decided before. */
  isMailed: boolean;
  /** A letter can be made of it. */
  mayMail: boolean;
  onPublish: (decision: Decision) => void;
};

/** The confirmation before a publication: problems, the date, and whether to write a letter. */
export function PublishDialog(props: Props) {
  const { open, onClose, noun, intro, check, dates, isScheduled, isMailed, mayMail, onPublish } = props;
  const fields = useRef<HTMLFormElement>(null);
  const [isLater, setLater] = useState(isScheduled);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const problems = check.state === "checked" ? check.problems : [];
  const verb = isLater ? "Schedule" : "Publish";
  const confirm = () => {
    const data = fields.current ? new FormData(fields.current) : new FormData();
    const found = dates ? errorsOf(data, isLater) : {};
    setErrors(found);
    if (Object.keys(found).length > 0) return focusFirst(fields);
    onPublish({
      ...(dates && (isLater ? scheduledBy(data) : publishedBy(data))),
      isMailed: data.has("mailed"),
      checked: problems.length > 0 ? confirmationOf(problems) : undefined,
    });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Before you publish"
      confirm={problems.length > 0 ? `${verb} anyway` : `${verb} ${noun}`}
      tone="primary"
      busy={check.state === "waiting" || check.state === "checking"}
      onConfirm={confirm}
      fields={
        (dates || mayMail) && (
          <Fields {...{ fields, dates, isLater, setLater, isMailed, mayMail, errors }} onSubmit={confirm} />
        )
      }
    >
      <Found check={check} intro={intro} />
    </ConfirmDialog>
  );
}

function Found({ check, intro }: Pick<Props, "check" | "intro">) {
  if (check.state !== "checked") return <p>{states[check.state]}</p>;
  if (check.problems.length === 0) return <p>No problems found.</p>;
  return (
    <>
      <p>{intro}</p>
      <ul className="mt-3 grid gap-2 text-ink">
        {check.problems.map(({ level, message }) => (
          <li
            key={message}
            className={`border-l-2 pl-3 ${level === "error" ? "border-danger" : "border-edge"}`}
          >
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}

const states = {
  waiting: "A file is still uploading. You can publish when it is complete.",
  checking: "Checking…",
  failed: "Couldn’t check just now. You can still publish.",
};

type FieldsProps = Pick<Props, "dates" | "isMailed" | "mayMail"> & {
  fields: RefObject<HTMLFormElement | null>;
  isLater: boolean;
  setLater: (isLater: boolean) => void;
  errors: Record<string, string>;
  onSubmit: () => void;
};

/** A separate form: choices here do not count as changes of the form around the dialog. */
function Fields(props: FieldsProps) {
  const { fields, dates, isLater, setLater, isMailed, mayMail, errors, onSubmit } = props;
  const around = useFormState();
  useUnreadable(fields);
  return (
    <FormContext value={{ ...around, errors: { fields: errors }, markChanged: () => {} }}>
      <form
        ref={fields}
        noValidate
        className="grid gap-5"
        onChange={(event) => event.stopPropagation()}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onSubmit();
        }}
      >
        {dates && (
          <fieldset className="grid gap-3">
            <legend className="mb-1.5 text-sm font-medium">When</legend>
            <When label="Now" isChosen={!isLater} onChoose={() => setLater(false)} isFirst />
            <When label="Schedule" isChosen={isLater} onChoose={() => setLater(true)} />
            {isLater ? (
              <DateTimeField
                key="later"
                label="Publish at"
                name="scheduledFor"
                value={dates.scheduledFor}
                isSchedule
              />
            ) : (
              <DateTimeField
                key="now"
                label="Publication date"
                name="publishedAt"
                value={dates.publishedAt}
                help="Leave blank to use the time you publish."
              />
            )}
          </fieldset>
        )}
        {mayMail && !isLater && (
          <Checkbox
            label="Also send as a letter"
            name="mailed"
            defaultChecked={isMailed}
            help="You review the letter before it goes out."
          />
        )}
      </form>
    </FormContext>
  );
}

type WhenProps = { label: string; isChosen: boolean; isFirst?: boolean; onChoose: () => void };

const When = ({ label, isChosen, isFirst, onChoose }: WhenProps) => (
  <label className="flex min-h-6 items-center gap-2.5">
    <input
      type="radio"
      name="when"
      checked={isChosen}
      onChange={onChoose}
      data-first-focus={isFirst ? "" : undefined}
      className="size-4 shrink-0"
    />
    <span>{label}</span>
  </label>
);

const scheduledBy = (data: FormData) => ({
  status: "scheduled" as const,
  at: dateTime(data, "scheduledFor") ?? null,
});

const publishedBy = (data: FormData) => ({
  status: "published" as const,
  at: dateTime(data, "publishedAt") ?? null,
});

/** What the server would refuse, said while the dialog is open. */
function errorsOf(data: FormData, isLater: boolean): Record<string, string> {
  const unreadable = unreadableIn(data);
  if (Object.keys(unreadable).length > 0) return unreadable;
  const { at } = isLater ? scheduledBy(data) : publishedBy(data);
  const now = Date.now();
  if (isLater && (at === null || !(at > now))) return { scheduledFor: "Choose a time in the future." };
  if (!isLater && at !== null && !(at <= now))
    return { publishedAt: "This date is in the future. Choose Schedule instead." };
  return {};
}

const focusFirst = (fields: RefObject<HTMLFormElement | null>) =>
  requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
