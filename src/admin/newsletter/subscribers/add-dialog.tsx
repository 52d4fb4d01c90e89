import { ButtonRow } from "#site/ui/button.tsx";
import { dialogPaths, useCloseDialog } from "../../lists/dialog-address.ts";
import { TextArea, TextField } from "../../form/fields.tsx";
import { CancelButton, FormDialog } from "../../form/form-dialog.tsx";
import { Form, Submit } from "../../form/form.tsx";
import { LIST } from "./subscriber-states.ts";

export const subscriberPaths = dialogPaths(LIST);

export const AddDialog = ({ isOpen }: { isOpen: boolean }) => (
  <FormDialog open={isOpen} onClose={useCloseDialog(subscriberPaths)} title="Add subscriber">
    <Form intent="add">
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        maxLength={400}
        autoComplete="off"
        data-first-focus
      />
      <TextArea
        label="How they agreed"
        name="consent"
        required
        rows={2}
        maxLength={500}
        help="Where they agreed, and to what: “Asked me at the book fair in Perth”. Stored with the address."
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Confirmation</legend>
        <Choice value="yes" isChosen label="Ask them to confirm">
          We email them a link, and they get letters once they open it.
        </Choice>
        <Choice value="no" label="They already confirmed">
          On paper, for example. They get the next letter.
        </Choice>
      </fieldset>
      <ButtonRow className="justify-end">
        <CancelButton />
        <Submit>Add subscriber</Submit>
      </ButtonRow>
    </Form>
  </FormDialog>
);

type ChoiceProps = { value: string; label: string; isChosen?: boolean; children: string };

const Choice = ({ value, label, isChosen, children }: ChoiceProps) => (
  <label className="flex items-start gap-2.5">
    <input type="radio" name="ask" value={value} defaultChecked={isChosen} className="mt-1 size-4 shrink-0" />
    <span>
      <span>{label}</span>
      <span className="block text-sm text-muted">{children}</span>
    </span>
  </label>
);
