import { useState } from "react";
import { api, readJson } from "#site/api.ts";
import type { PressInput, PressType } from "#worker/press/contract.ts";
import { DraftKey, Options, SelectField, Switch, TextArea, TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { SavedStatus } from "../form/saved-status.tsx";
import { FormSection } from "../form/section.tsx";
import { NEW } from "../form/new-item.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { statusOf, typeNames } from "./press-types.ts";

type Props = {
  /** Absent for a new item. */
  id?: number;
  /** The `updatedAt` of the version that is edited; absent for a new item. */
  basedOn?: number;
  values: PressInput;
};

export function PressForm({ id, basedOn, values }: Props) {
  const [type, setType] = useState<PressType>(values.type);
  return (
    <PageForm basedOn={basedOn} keepAs={`press-${id ?? NEW}`} submit="Save" cancelTo="/admin/media">
      <SavedStatus status={statusOf(values.published)} />
      {id === undefined && <DraftKey />}
      <Item values={values} type={type} onType={setType} />
      <Source values={values} />
      <div className="border-t border-rule py-8">
        <MarkdownField
          label="Text"
          name="content"
          defaultValue={values.content}
          render={render}
          help={textHelp[type]}
        />
      </div>
      <FormSection title="On the site">
        <Switch
          label="Published"
          name="published"
          defaultChecked={values.published}
          help="Shown on the Media page. Otherwise it’s a draft, and only the admin area shows it."
        />
      </FormSection>
    </PageForm>
  );
}

const textHelp: Record<PressType, string> = {
  press_release:
    "Markdown. Visitors can open the full release. Leave blank to make the title open the link instead.",
  media_coverage:
    "Markdown. The Media page links to the outlet instead, but the site’s search finds this text.",
};

const render = (content: string, signal: AbortSignal) =>
  readJson(api.press.preview.$post({ json: { content } }, { init: { signal } }));

type ItemProps = { values: PressInput; type: PressType; onType: (type: PressType) => void };

const Item = ({ values, type, onType }: ItemProps) => (
  <FormSection title="Media item">
    <SelectField
      label="Type"
      name="type"
      value={type}
      onChange={(event) => onType(event.currentTarget.value as PressType)}
      help="A release is yours; coverage is what others wrote or broadcast."
    >
      <Options of={Object.entries(typeNames)} />
    </SelectField>
    <TextField label="Title" name="title" required defaultValue={values.title} />
    <TextField
      label="Date"
      name="date"
      type="date"
      required
      min="1000-01-01"
      max="9999-12-31"
      defaultValue={values.date}
    />
    <TextArea
      label="Summary"
      name="summary"
      rows={3}
      required
      defaultValue={values.summary}
      help="Plain text, one to three sentences. Shown under the title."
    />
  </FormSection>
);

const Source = ({ values }: { values: PressInput }) => (
  <FormSection title="Source">
    <TextField
      label="Outlet"
      name="outlet"
      placeholder="Harbour FM"
      defaultValue={values.outlet}
      help="Who published or broadcast it."
    />
    <TextField
      label="Media type"
      name="mediaType"
      placeholder="Radio interview"
      defaultValue={values.mediaType}
      help="Article, interview, radio: your own words."
    />
    <TextField
      label="Link"
      name="link"
      type="url"
      placeholder="https://example.com/article"
      defaultValue={values.link ?? ""}
      help="Where to find the original."
    />
  </FormSection>
);
