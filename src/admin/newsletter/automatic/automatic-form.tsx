import { useRef, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { useLocale } from "#site/ui/locale.ts";
import { zoneName } from "#site/ui/zone-name.ts";
import {
  itemPlaceholders,
  letterPlaceholders,
  WAIT_MINUTES,
  type AutomaticLetterInput,
  type AutomaticPreview,
  type Frequency,
  type ItemChoice,
} from "#worker/automatic-letters/contract.ts";
import { PREHEADER_LENGTH, SUBJECT_LENGTH, type LetterPreviewInput } from "#worker/letters/contract.ts";
import type { SegmentChoices } from "#worker/letters/segment-choices.ts";
import { Checkbox, DraftKey, Options, SelectField, Switch, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { FormSection } from "../../form/section.tsx";
import { MarkdownField } from "../../markdown/markdown-field.tsx";
import { useTyping } from "../letter-form.tsx";
import { EmailPreview } from "../mail-preview.tsx";
import { Recipients } from "../recipients.tsx";
import {
  frequencyNames,
  hourName,
  itemNames,
  LIST,
  modeNames,
  monthdayName,
  weekdays,
} from "./schedule-words.ts";

type Props = {
  /** In the address. */
  id: string;
  values: AutomaticLetterInput;
  /** Absent for a new one. */
  updatedAt?: number;
  choices: SegmentChoices;
  /** The number of recipients of the saved segment. */
  recipients: number;
  hasArchive: boolean;
};

export function AutomaticForm({ id, values, updatedAt, choices, recipients, hasArchive }: Props) {
  const [frequency, setFrequency] = useState(values.frequency);
  const [items, setItems] = useState(values.items);
  const [typed, setTyped] = useState<LetterPreviewInput>(values);
  return (
    <PageForm basedOn={updatedAt} submit="Save" cancelTo={LIST} keepAs={`automatic-letter-${id}`}>
      {updatedAt === undefined && <DraftKey />}
      <FormSection title="When" help="What it is about, and when it is made.">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={80}
          defaultValue={values.name}
          help="Only you see it."
        />
        <SelectField
          label="About"
          name="items"
          value={items}
          onChange={({ currentTarget }) => setItems(currentTarget.value as ItemChoice)}
        >
          <Options of={Object.entries(itemNames)} />
        </SelectField>
        <SelectField
          label="How often"
          name="frequency"
          value={frequency}
          onChange={({ currentTarget }) => setFrequency(currentTarget.value as Frequency)}
        >
          <Options of={Object.entries(frequencyNames)} />
        </SelectField>
        <Time frequency={frequency} values={values} />
      </FormSection>
      <FormSection title="Sending">
        <SelectField
          label="Once a letter is made"
          name="mode"
          defaultValue={values.mode}
          help="A letter that waits is a draft under Letters, and the desk shows it. One that can’t be sent waits, too, with the reason. What is sent automatically may have been published by an editor, or by a program that may publish."
        >
          <Options of={Object.entries(modeNames)} />
        </SelectField>
        <Switch
          label="On"
          name="isOn"
          defaultChecked={values.isOn}
          help="It never sends episodes and essays that are public when you switch it on, or that you import. When you switch it off, the items that wait are not sent."
        />
      </FormSection>
      <section aria-label="Template" className="border-t border-rule pt-8">
        <div className="grid gap-x-10 gap-y-8 pb-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <Template values={values} onType={setTyped} />
          <TemplatePreview frequency={frequency} items={items} typed={typed} />
        </div>
      </section>
      <Recipients segment={values.segment} choices={choices} count={recipients} />
      {hasArchive && (
        <div className="border-t border-rule py-4">
          <Checkbox
            label="Show in the archive once sent"
            help="Anyone can read it on the site."
            name="isPublic"
            defaultChecked={values.isPublic}
          />
        </div>
      )}
    </PageForm>
  );
}

/** The time of a digest, or how long a publication waits. */
function Time({ frequency, values }: { frequency: Frequency; values: AutomaticLetterInput }) {
  const { timeZone } = useLocale();
  if (frequency === "publication")
    return (
      <p className="text-sm text-muted">
        {`The letter is made ${WAIT_MINUTES} minutes after the publication. Take the publication back before then, and nothing is sent. Each item is sent once, also if you publish it again or change its date.`}
      </p>
    );
  return (
    <>
      {frequency === "weekly" && (
        <SelectField label="Day of the week" name="weekday" defaultValue={values.weekday}>
          <Options of={weekdays.map((name, index) => [index + 1, name] as const)} />
        </SelectField>
      )}
      {frequency === "monthly" && (
        <SelectField label="Day of the month" name="monthday" defaultValue={values.monthday}>
          <Options
            of={Array.from({ length: 31 }, (_, index) => [index + 1, monthdayName(index + 1)] as const)}
          />
        </SelectField>
      )}
      <SelectField
        label="Hour"
        name="hour"
        defaultValue={values.hour}
        help={`In ${zoneName(timeZone)}. Items published in the last ${WAIT_MINUTES} minutes before it are in the next letter. Without new items there is no letter.`}
      >
        <Options of={Array.from({ length: 24 }, (_, hour) => [hour, hourName(hour)] as const)} />
      </SelectField>
    </>
  );
}

type TemplateProps = { values: AutomaticLetterInput; onType: (typed: LetterPreviewInput) => void };

function Template({ values, onType }: TemplateProps) {
  const fields = useRef<HTMLDivElement>(null);
  useTyping(fields, onType);
  return (
    <div ref={fields} className="grid content-start gap-5">
      <TextField
        label="Subject"
        name="subject"
        required
        maxLength={SUBJECT_LENGTH}
        defaultValue={values.subject}
        help="In a digest, {{title}} is the title of the newest item."
      />
      <TextField
        label="Preheader"
        name="preheader"
        maxLength={PREHEADER_LENGTH}
        defaultValue={values.preheader}
        help="Shown after the subject in inboxes. Leave blank to use the start of the text."
      />
      <MarkdownField
        label="Content"
        name="content"
        defaultValue={values.content}
        help="Markdown. The part between {{#items}} and {{/items}} is repeated for each item. A bold link on its own line becomes a button."
      />
      <Placeholders />
      <p className="text-sm text-muted">
        A template has no question to readers. Add one to a letter that waits for your approval.
      </p>
    </div>
  );
}

const Placeholders = () => (
  <details className="text-sm">
    <summary className="cursor-pointer py-3 font-medium">Placeholders</summary>
    <List of={itemPlaceholders} title="Of an item" />
    <List of={letterPlaceholders} title="Of the letter" />
  </details>
);

const List = ({ of, title }: { of: Record<string, string>; title: string }) => (
  <div className="grid gap-1 pb-3">
    <p className="font-medium">{title}</p>
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {Object.entries(of).map(([name, becomes]) => (
        <div key={name} className="contents">
          <dt>
            <code>{`{{${name}}}`}</code>
          </dt>
          <dd className="text-muted">{becomes}</dd>
        </div>
      ))}
    </dl>
  </div>
);

type PreviewProps = { frequency: Frequency; items: ItemChoice; typed: LetterPreviewInput };

/** The letter that the typed template makes of the newest items. */
function TemplatePreview({ frequency, items, typed: { subject, preheader, content } }: PreviewProps) {
  const json = { frequency, items, subject, preheader, content };
  return (
    <EmailPreview<AutomaticPreview>
      words={JSON.stringify(json)}
      read={(signal) => readJson(api["automatic-letters"].preview.$post({ json }, { init: { signal } }))}
      renderNote={({ subject: filled, isExample }) => (
        <p className="text-sm wrap-anywhere">
          <span className="text-muted">{"Subject: "}</span>
          <span dir="auto">{filled}</span>
          {isExample && (
            <span className="block text-muted">Nothing is published yet, so this is an example.</span>
          )}
        </p>
      )}
    />
  );
}
