import { ButtonRow } from "#site/ui/button.tsx";
import {
  engagementDefaults,
  engagementStatuses,
  type Confidential,
  type EditableEngagement,
} from "#worker/speaking/contract.ts";
import { useCloseDialog } from "../lists/dialog-address.ts";
import { DraftKey, Options, SelectField, TextArea, TextField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { engagementPaths } from "./save.ts";
import { statuses } from "./engagement-table.tsx";

/** `mayContact`: without it, contact, fee and notes are hidden as personal data. */
export const AddDialog = ({ isOpen, mayContact }: { isOpen: boolean; mayContact: boolean }) => (
  <FormDialog open={isOpen} onClose={useCloseDialog(engagementPaths)} title="Add Engagement" wide>
    <Form intent="add">
      <DraftKey />
      <Fields
        values={{ title: "", ...engagementDefaults }}
        confidential={mayContact ? engagementDefaults : null}
      />
      <Buttons submit="Add engagement" />
    </Form>
  </FormDialog>
);

export const EditDialog = ({ engagement }: { engagement: EditableEngagement | null }) => (
  <FormDialog
    open={engagement !== null}
    onClose={useCloseDialog(engagementPaths)}
    title="Edit Engagement"
    wide
  >
    {engagement && (
      <Form key={engagement.id} intent="edit" basedOn={engagement.updatedAt}>
        <Fields {...engagement} />
        <Buttons submit="Save changes" />
      </Form>
    )}
  </FormDialog>
);

const Buttons = ({ submit }: { submit: string }) => (
  <ButtonRow className="justify-end">
    <CancelButton />
    <Submit>{submit}</Submit>
  </ButtonRow>
);

const pair = "grid items-start gap-5 sm:grid-cols-2";

const Fields = ({ values, confidential }: Pick<EditableEngagement, "values" | "confidential">) => (
  <>
    <TextField
      label="Title"
      name="title"
      required
      maxLength={255}
      defaultValue={values.title}
      data-first-focus
    />
    <TextArea
      label="Description"
      name="description"
      rows={3}
      maxLength={2000}
      defaultValue={values.description}
    />
    <div className={pair}>
      <TextField label="Date" name="date" type="date" min="1970-01-01" defaultValue={values.date ?? ""} />
      <SelectField
        label="Status"
        name="status"
        defaultValue={values.status}
        help="Visitors see upcoming ones until the day is over."
      >
        <Options of={engagementStatuses.map((status) => [status, statuses[status].label])} />
      </SelectField>
      <TextField label="Venue" name="venue" maxLength={160} defaultValue={values.venue} />
      <TextField label="Location" name="location" maxLength={160} defaultValue={values.location} />
      <TextField
        label="Audience Size"
        name="audienceSize"
        type="number"
        min={0}
        step={1}
        defaultValue={values.audienceSize ?? ""}
      />
    </div>
    {confidential ? (
      <ConfidentialFields {...confidential} />
    ) : (
      <p className="text-sm text-muted">Only admins can see and edit contact, fee and notes.</p>
    )}
  </>
);

const ConfidentialFields = ({ contactEmail, contactPhone, fee, notes }: Confidential) => (
  <fieldset className="grid gap-5 border-t border-rule pt-5">
    <legend className="float-left mb-1 w-full text-sm text-muted">Admins only. Not shown on the site</legend>
    <div className={`clear-both ${pair}`}>
      <TextField
        label="Contact Email"
        name="contactEmail"
        type="email"
        autoComplete="off"
        maxLength={254}
        defaultValue={contactEmail}
      />
      <TextField
        label="Contact Phone"
        name="contactPhone"
        type="tel"
        autoComplete="off"
        maxLength={40}
        defaultValue={contactPhone}
      />
      <TextField label="Fee" name="fee" type="number" min={0} step={0.01} defaultValue={fee ?? ""} />
    </div>
    <TextArea label="Notes" name="notes" rows={3} maxLength={5000} defaultValue={notes} />
  </fieldset>
);
