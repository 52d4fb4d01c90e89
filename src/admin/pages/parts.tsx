import type { ReactNode } from "react";
import { api, readJson } from "#site/api.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { FormSection } from "../form/section.tsx";
import { MarkdownField } from "../markdown/markdown-field.tsx";

/** What the forms of several pages have. Limits are those of the contract. */

type Head = { headline: string; standfirst: string };

export const Opening = ({ values, children }: { values: Head; children?: ReactNode }) => (
  <FormSection title="Head">
    <TextField label="Headline" name="headline" required maxLength={160} defaultValue={values.headline} />
    <LongText
      label="Standfirst"
      name="standfirst"
      value={values.standfirst}
      help="Below the headline, and in search results."
    />
    {children}
  </FormSection>
);

type FieldProps = { label: string; name: string; value: string; help?: string };

/** A heading, or the words of a link. */
export const Words = ({ value, ...field }: FieldProps) => (
  <TextField {...field} required maxLength={120} defaultValue={value} />
);

/** Plain text of a few sentences. */
export const LongText = ({ value, ...field }: FieldProps) => (
  <TextArea {...field} rows={3} maxLength={600} defaultValue={value} />
);

export const Prose = ({ value, ...field }: FieldProps & { className?: string }) => (
  <MarkdownField {...field} narrow defaultValue={value} render={render} />
);

/** As the public page renders it. */
const render = (content: string, signal: AbortSignal) =>
  readJson(api.articles.preview.$post({ json: { content } }, { init: { signal } }));

type Card = { title: string; text: string };

type CardRowsProps<Row extends Card> = {
  name: string;
  legend: string;
  noun: string;
  help?: string;
  rows: Row[];
  empty: Row;
  /** Further fields of a row, above and below the two. */
  renderFirst?: (row: Row) => ReactNode;
  children?: (row: Row) => ReactNode;
};

/** Rows of a title and a text, in the order in which the page shows them. */
export const CardRows = <Row extends Card>({
  name,
  noun,
  rows,
  renderFirst,
  children,
  ...group
}: CardRowsProps<Row>) => (
  <Repeated
    {...group}
    name={name}
    noun={noun}
    add={`Add ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`}
    sortable
    initial={rows}
  >
    {(row) => (
      <>
        {renderFirst?.(row)}
        <TextField
          label="Title"
          name={`${name}.title`}
          maxLength={120}
          defaultValue={row.title}
          className="basis-full!"
        />
        <TextArea
          label="Text"
          name={`${name}.text`}
          rows={2}
          maxLength={600}
          defaultValue={row.text}
          className="basis-full!"
        />
        {children?.(row)}
      </>
    )}
  </Repeated>
);

export const emptyCard = { title: "", text: "" };
