import { useState, type FormEvent } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox, SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { columnNames, sourceOf, type ColumnKind } from "./columns.ts";
import { encodingNames } from "../../imports/file-text.ts";
import type { Inspected } from "./inspect.ts";
import { Preview } from "./preview.tsx";
import type { ImportPlan } from "./run.ts";

type Props = {
  inspected: Inspected;
  onStart: (plan: ImportPlan, options: { asksPending: boolean }) => void;
  onCancel: () => void;
};

type Errors = Partial<Record<"column-email" | "source" | "consent", string>>;

/** What the owner says about a file before it is imported. */
export function CheckForm({ inspected, onStart, onCancel }: Props) {
  const { file, first } = inspected;
  const [hasHeader, setHasHeader] = useState(inspected.hasHeader);
  const [mapping, setMapping] = useState(inspected.mapping);
  const [isConfirmed, setConfirmed] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const rows = hasHeader ? inspected.rows : [first, ...inspected.rows];
  const columns = first.map((name, index) => (hasHeader && name.trim()) || `Column ${index + 1}`);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const [source, consent] = [String(fields.get("source")).trim(), String(fields.get("consent")).trim()];
    const found: Errors = {
      ...(mapping.email === null && { "column-email": "Choose the column with the addresses." }),
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
    };
    const header = hasHeader ? first : [];
    onStart(
      { ...inspected, header, hasHeader, mapping, about },
      { asksPending: fields.get("ask") === "yes" },
    );
  };

  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-8">
      <p className="text-muted wrap-anywhere">
        {`${file.name}, ${sizeOf(file.size)}, read as ${encodingNames[inspected.encoding]}.`}
      </p>
      <section aria-labelledby="columns" className="grid gap-4">
        <h2 id="columns" className="font-semibold">
          Columns
        </h2>
        <Checkbox
          label="The first line has the column names"
          checked={hasHeader}
          onChange={(event) => setHasHeader(event.currentTarget.checked)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {(Object.keys(columnNames) as ColumnKind[]).map((kind) => (
            <ColumnField
              key={kind}
              kind={kind}
              columns={columns}
              value={mapping[kind]}
              error={kind === "email" ? errors["column-email"] : undefined}
              onChange={(column) => setMapping({ ...mapping, [kind]: column })}
            />
          ))}
        </div>
        <Preview rows={rows} mapping={mapping} header={hasHeader ? first : []} now={inspected.at} />
      </section>
      <section aria-labelledby="consent" className="grid gap-4">
        <h2 id="consent" className="font-semibold">
          Consent
        </h2>
        <TextArea
          label="How these people agreed to get letters"
          name="consent"
          rows={3}
          maxLength={500}
          required
          error={errors.consent}
          help="Stored with each address, for example “Subscribed with the form of my former newsletter, and confirmed by email”."
        />
        <TextField
          label="Source, if no column has it"
          name="source"
          defaultValue="import"
          maxLength={40}
          required
          error={errors.source}
          help="One word, so you can filter the list by it."
        />
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">Confirmed addresses</legend>
          <Radio
            name="confirmed"
            label="They confirmed their addresses at the former service (double opt-in)"
            isChecked={isConfirmed}
            onChoose={() => setConfirmed(true)}
          >
            They get your next letter, except those the file marks as pending.
          </Radio>
          <Radio
            name="confirmed"
            label="They didn’t, or I don’t know"
            isChecked={!isConfirmed}
            onChoose={() => setConfirmed(false)}
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
      </section>
      <ButtonRow>
        <Button type="submit" tone="primary">
          Start the import
        </Button>
        <Button onClick={onCancel}>Choose another file</Button>
      </ButtonRow>
    </form>
  );
}

const columnField = (kind: ColumnKind) => `column-${kind}`;

type ColumnProps = {
  kind: ColumnKind;
  columns: string[];
  value: number | null;
  error?: string;
  onChange: (column: number | null) => void;
};

const ColumnField = ({ kind, columns, value, error, onChange }: ColumnProps) => (
  <SelectField
    label={columnNames[kind]}
    name={columnField(kind)}
    error={error}
    value={value ?? ""}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === "" ? null : Number(currentTarget.value))
    }
  >
    <option value="">{kind === "email" ? "Choose" : "None"}</option>
    {columns.map((column, index) => (
      // A file may have two columns of one name.
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
  children: string;
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
