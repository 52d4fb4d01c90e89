import { useState } from "react";
import type { StoredFile } from "#worker/files/contract.ts";
import { ventureIcons, type VentureIcon, type VentureInput } from "#worker/ventures/contract.ts";
import { FileField } from "../files/file-field.tsx";
import { DraftKey, SelectField, Switch, TextArea, TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { icons } from "./icons.ts";

type Props = {
  /** The `updatedAt` of the version that is edited; absent for a new venture. */
  basedOn?: number;
  values: VentureInput;
  image: StoredFile | null;
};

export function VentureForm({ basedOn, values, image: stored }: Props) {
  const [image, setImage] = useState(stored);
  return (
    <PageForm basedOn={basedOn} submit="Save" cancelTo="/admin/ventures">
      {basedOn === undefined && <DraftKey />}
      <FormSection title="Venture">
        <TextField label="Venture Name" name="name" required maxLength={120} defaultValue={values.name} />
        <TextField
          label="Website URL"
          name="url"
          type="url"
          placeholder="https://example.com"
          defaultValue={values.url ?? ""}
        />
        <TextArea
          label="Description"
          name="description"
          rows={3}
          required
          maxLength={600}
          defaultValue={values.description}
        />
      </FormSection>
      <FormSection title="Appearance">
        <FileField
          label="Venture Image"
          name="imageFileId"
          folder="ventures"
          value={image}
          onChange={setImage}
          help="3:2 on a wide screen, square on a phone. Without one, a drawing is shown."
        />
        <IconField value={values.icon} />
      </FormSection>
      <FormSection title="On the site">
        <TextField
          label="Sort Order"
          name="sortOrder"
          type="number"
          step={1}
          defaultValue={values.sortOrder}
          help="Lower numbers come first. Leave blank to use 0. Reordering the list numbers ventures from 1."
        />
        <Switch label="Active" name="active" defaultChecked={values.active} help="Shown on the About page." />
      </FormSection>
    </PageForm>
  );
}

function IconField({ value }: { value: VentureIcon }) {
  const [icon, setIcon] = useState(value);
  const Icon = icons[icon];
  return (
    <div className="flex items-end gap-3">
      <SelectField
        label="Icon"
        name="icon"
        className="grow"
        value={icon}
        onChange={(event) => setIcon(event.currentTarget.value as VentureIcon)}
      >
        {ventureIcons.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <Icon aria-hidden size={24} strokeWidth={1.5} className="mb-2 shrink-0 text-accent" />
    </div>
  );
}
