import type { CampaignInput } from "#worker/campaigns/contract.ts";
import { DraftKey, Options, SelectField, TextArea, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { FormSection } from "../../form/section.tsx";
import { AddressField } from "./address-field.tsx";
import type { Frames } from "./frames.server.ts";
import { statusNames, typeNames } from "./campaign-types.ts";

type Props = {
  /** The `updatedAt` of the version that is edited; absent for a new campaign. */
  basedOn?: number;
  values: CampaignInput;
  frames: Frames;
};

export const CampaignForm = ({ basedOn, values, frames }: Props) => (
  <PageForm basedOn={basedOn} submit="Save" cancelTo="/admin/media/campaigns">
    {basedOn === undefined && <DraftKey />}
    <FormSection title="Campaign">
      <SelectField label="Type" name="type" defaultValue={values.type}>
        <Options of={Object.entries(typeNames)} />
      </SelectField>
      <TextField label="Title" name="title" required defaultValue={values.title} />
      <TextArea
        label="Description"
        name="description"
        rows={4}
        defaultValue={values.description}
        help="What it asks for, and why."
      />
      <AddressField value={values.embedUrl} frames={frames} />
    </FormSection>
    <FormSection title="Details">
      <TextField label="Category" name="category" placeholder="Housing" defaultValue={values.category} />
      <TextField
        label="Reference"
        name="reference"
        placeholder="EN8108"
        defaultValue={values.reference}
        help="The number given by the parliament or platform."
      />
    </FormSection>
    <FormSection title="On the site">
      <SelectField
        label="Status"
        name="status"
        defaultValue={values.status}
        help="Visitors see active campaigns on the Petitions page."
      >
        <Options of={Object.entries(statusNames)} />
      </SelectField>
      <TextField
        label="Sort Order"
        name="sortOrder"
        type="number"
        step={1}
        defaultValue={values.sortOrder}
        help="Lower numbers come first. Leave blank to use 0. Reordering the list numbers campaigns from 1."
      />
    </FormSection>
  </PageForm>
);
