import { useState, type FormEvent, type ReactNode } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { encodingNames } from "../file-text.ts";
import type { PlanProps } from "../wizard/steps.tsx";
import { columnNames, nameOfColumn, sourceOf, type Answers, type ColumnKind } from "./columns.ts";
import type { ListFile } from "./list-file.ts";
import { NotUnderstood, People } from "./people.tsx";
import { Preview } from "./preview.tsx";
import type { Survey } from "./survey.ts";
import type { ListChoice, ListPlan, ReadList } from "./work.ts";

type Errors = Partial<Record<"everyone" | "source" | "consent", string>>;

/** Stored as the consent of people who are only recorded because they left. */
const NO_CONSENT = "Recorded as a person who gets no letters.";

/** The people in a file by state, and the owner's statements about it, before the import. */
export function CheckForm({
  plan,
  error,
  readingAgain,
  onReadAgain,
  onRun,
  onCancel,
}: PlanProps<ReadList, ListPlan, ListChoice>) {
  const { list, survey } = plan;
  const { file } = list;
  const input = readingAgain ?? plan;
  const { mapping, answers } = input;
  const setAnswers = (change: Partial<Answers>) =>
    onReadAgain({ list, mapping, answers: { ...answers, ...change } });
  const [isConfirmed, setConfirmed] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [openedAt] = useState(() => Date.now());
  const { layout, states } = survey;
  const isAsked = !layout.saysWhoLeft && answers.everyone === null;
  const isOfPeople = states.active.count + states.pending.count > 0;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The counts above are outdated while the file is read with the last choice.
    if (readingAgain) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const source = String(fields.get("source")).trim();
    const consent = isOfPeople ? String(fields.get("consent")).trim() : NO_CONSENT;
    const found: Errors = {
      ...(isAsked && { everyone: "Answer this before the import." }),
      ...(sourceOf(source) !== source && { source: "Enter one lowercase word, such as mailchimp." }),
      ...(consent === "" && { consent: "Say how they agreed to get letters." }),
    };
    setErrors(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) return form.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
    const about = {
      importId: crypto.randomUUID(),
      fileName: file.name.slice(0, 200),
      source,
      consent,
      isConfirmed,
      writtenAt: Math.min(file.lastModified, openedAt),
    };
    onRun({ about, asksPending: fields.get("ask") === "yes" });
  };

  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-8">
      <p className="text-muted wrap-anywhere">{aboutFile(list, survey)}</p>
      <section aria-labelledby="people" className="grid gap-4" aria-busy={readingAgain !== null}>
        <h2 id="people" className="font-semibold">
          Who is in this file
        </h2>
        {!layout.saysWhoLeft && (
          <Question
            isOfMembers={layout.isOfMembers}
            answer={answers.everyone}
            error={errors.everyone}
            onAnswer={(everyone) => setAnswers({ everyone })}
          />
        )}
        {!isAsked && <People survey={survey} />}
        <p role="status" className="text-sm text-muted empty:hidden">
          {readingAgain && "Counting again"}
        </p>
      </section>
      <NotUnderstood survey={survey} words={answers.words} onAnswer={(words) => setAnswers({ words })} />
      <section aria-labelledby="columns" className="grid gap-4">
        <h2 id="columns" className="font-semibold">
          Columns
        </h2>
        <div className="grid gap-4 sm:grid-cols-2">
          {(Object.keys(columnNames) as ColumnKind[]).map((kind) => (
            <ColumnField
              key={kind}
              kind={kind}
              columns={layout.roles.map((_, index) => nameOfColumn(list.header, index))}
              value={layout.mapping[kind]}
              onChange={(column) => onReadAgain({ list, mapping: { ...mapping, [kind]: column }, answers })}
            />
          ))}
        </div>
        <Preview rows={list.rows} survey={survey} answers={answers} isAsked={isAsked} now={openedAt} />
      </section>
      <section aria-labelledby="consent" className="grid gap-4">
        <h2 id="consent" className="font-semibold">
          {isOfPeople ? "Consent" : "Source"}
        </h2>
        {isOfPeople && (
          <TextArea
            label="How these people agreed to get letters"
            name="consent"
            rows={3}
            maxLength={500}
            required
            error={errors.consent}
            help="Stored with each address, for example “Subscribed with the form of my former newsletter, and confirmed by email”."
          />
        )}
        <TextField
          label="Source, if no column has it"
          name="source"
          defaultValue="import"
          maxLength={40}
          required
          error={errors.source}
          help="One word, so you can filter the list by it."
        />
        {isOfPeople && <Confirmation isConfirmed={isConfirmed} onChange={setConfirmed} />}
      </section>
      {error && (
        <p role="alert" className="font-medium text-danger">
          {error}
        </p>
      )}
      <ButtonRow>
        <Button type="submit" tone="primary">
          Start the import
        </Button>
        <Button onClick={onCancel}>Choose another file</Button>
      </ButtonRow>
    </form>
  );
}

/** "list.csv, 1.4 MB, read as UTF-8. It’s an export of Kit. The column names are in line 3." */
function aboutFile({ file, encoding, headerLine }: ListFile, { layout }: Survey) {
  const known = layout.known && `Recognised as an export of ${layout.known.name}.`;
  const above = headerLine > 1 && `The column names are in line ${headerLine}.`;
  return [`${file.name}, ${sizeOf(file.size)}, read as ${encodingNames[encoding]}.`, known, above]
    .filter(Boolean)
    .join(" ");
}

type QuestionProps = {
  isOfMembers: boolean;
  answer: "agreed" | "left" | null;
  error?: string;
  onAnswer: (answer: "agreed" | "left") => void;
};

/** For a file that does not say who left: in doubt, no emails are sent. */
const Question = ({ isOfMembers, answer, error, onAnswer }: QuestionProps) => (
  <fieldset className="grid gap-2" aria-describedby={error ? "everyone-error" : undefined}>
    <legend className="mb-1.5 font-medium">
      Does this file hold only people who agreed and have not left?
    </legend>
    <p className="text-sm text-muted">
      {isOfMembers
        ? "It doesn’t say whether these members agreed to letters. Paying for a membership isn’t agreeing."
        : "No column says who left. If you’re not sure, export the list again with the status of each person."}
    </p>
    {error && (
      <p id="everyone-error" className="text-sm font-medium text-danger">
        {error}
      </p>
    )}
    <Radio name="everyone" label="Yes" isChecked={answer === "agreed"} onChoose={() => onAnswer("agreed")}>
      Everyone in it agreed to get letters, and hasn’t left.
    </Radio>
    <Radio
      name="everyone"
      label="No, these left"
      isChecked={answer === "left"}
      onChoose={() => onAnswer("left")}
    >
      Everyone in it unsubscribed, bounced or was blocked. They’re recorded, so that they never get a letter.
    </Radio>
  </fieldset>
);

type ConfirmationProps = { isConfirmed: boolean; onChange: (isConfirmed: boolean) => void };

const Confirmation = ({ isConfirmed, onChange }: ConfirmationProps) => (
  <>
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">Confirmed addresses</legend>
      <Radio
        name="confirmed"
        label="They confirmed their addresses at the former service (double opt-in)"
        isChecked={isConfirmed}
        onChoose={() => onChange(true)}
      >
        They get your next letter, except those the file marks as pending.
      </Radio>
      <Radio
        name="confirmed"
        label="They didn’t, or I don’t know"
        isChecked={!isConfirmed}
        onChoose={() => onChange(false)}
      >
        They’re added as pending and get no letters until they confirm.
      </Radio>
    </fieldset>
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">Subscribers added as pending</legend>
      <Radio name="ask" value="yes" label="Email them to confirm, after the import">
        100 emails a minute. Anyone who doesn’t confirm is deleted after 30 days.
      </Radio>
      <Radio name="ask" value="no" isDefault label="Don’t email them">
        They can still subscribe with the form on the site. They’re deleted 30 days after the import.
      </Radio>
    </fieldset>
  </>
);

const columnField = (kind: ColumnKind) => `column-${kind}`;

type ColumnProps = {
  kind: ColumnKind;
  columns: string[];
  value: number | null;
  onChange: (column: number | null) => void;
};

const ColumnField = ({ kind, columns, value, onChange }: ColumnProps) => (
  <SelectField
    label={columnNames[kind]}
    name={columnField(kind)}
    value={value ?? ""}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === "" ? null : Number(currentTarget.value))
    }
  >
    {kind !== "email" && <option value="">None</option>}
    {columns.map((column, index) => (
      // A file may have two columns with the same name.
      <option key={`${index} ${column}`} value={index}>
        {column}
      </option>
    ))}
  </SelectField>
);

type RadioProps = {
  name: string;
  value?: string;
  label: string;
  children: ReactNode;
  isDefault?: boolean;
  isChecked?: boolean;
  onChoose?: () => void;
};

const Radio = ({ name, value, label, children, isDefault, isChecked, onChoose }: RadioProps) => (
  <label className="flex items-start gap-2.5">
    <input
      type="radio"
      name={name}
      value={value}
      checked={isChecked}
      defaultChecked={isDefault}
      onChange={onChoose}
      className="mt-1 size-4 shrink-0"
    />
    <span>
      <span>{label}</span>
      <span className="block text-sm text-muted">{children}</span>
    </span>
  </label>
);

/** "1.4 MB". */
function sizeOf(bytes: number) {
  if (bytes < 1000) return `${bytes} bytes`;
  const [amount, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}
