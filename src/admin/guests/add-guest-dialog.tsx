import { ButtonRow } from "#site/ui/button.tsx";
import { enquiryLimits } from "#worker/enquiries/limits.ts";
import { useCloseDialog } from "../lists/dialog-address.ts";
import { TextArea, TextField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { guestPaths } from "./enquiry-kinds.ts";

/** Adds a guest who never applied. */
export const AddGuestDialog = ({ isOpen }: { isOpen: boolean }) => (
  <FormDialog
    open={isOpen}
    onClose={useCloseDialog(guestPaths)}
    title="Add a guest"
    description="They are approved from the start. No email is sent."
    wide
  >
    <Form intent="add">
      <TextField
        label="Name"
        name="name"
        required
        maxLength={enquiryLimits.name}
        autoComplete="off"
        dir="auto"
        data-first-focus
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="off"
        help="Only you see it. If they ask what you store about them, “A person’s data” finds it by this address."
      />
      <TextField label="Topic" name="topic" required maxLength={enquiryLimits.topic} dir="auto" />
      <TextField
        label="LinkedIn profile"
        name="linkedinProfile"
        type="url"
        help="Optional. Shown with their name on the episode’s page."
      />
      <TextArea
        label="Position"
        name="position"
        rows={4}
        help="Optional. Their view on the topic."
        dir="auto"
      />
      <ButtonRow className="justify-end">
        <CancelButton />
        <Submit>Add guest</Submit>
      </ButtonRow>
    </Form>
  </FormDialog>
);
