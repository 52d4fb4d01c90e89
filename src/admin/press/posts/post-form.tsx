import type { PostInput } from "#worker/social/contract.ts";
import { DateTimeField } from "../../form/date-time-field.tsx";
import { DraftKey, Options, SelectField, TextArea, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { FormSection } from "../../form/section.tsx";
import { NEW } from "../../form/new-item.ts";
import { networkNames } from "./network-names.ts";

type Props = {
  /** Absent for a new post. */
  id?: number;
  /** The `updatedAt` of the version that is edited; absent for a new post. */
  basedOn?: number;
  values: PostInput;
};

export const PostForm = ({ id, basedOn, values }: Props) => (
  <PageForm basedOn={basedOn} keepAs={`post-${id ?? NEW}`} submit="Save" cancelTo="/admin/media/posts">
    {id === undefined && <DraftKey />}
    <FormSection title="Social post">
      <SelectField label="Network" name="platform" defaultValue={values.platform}>
        <Options of={Object.entries(networkNames)} />
      </SelectField>
      <TextField label="Author" name="author" required defaultValue={values.author} />
      <TextArea
        label="Post"
        name="content"
        rows={5}
        required
        defaultValue={values.content}
        help="Plain text, exactly as posted. Line breaks are kept."
      />
      <DateTimeField
        label="Date"
        name="date"
        value={values.date}
        help="The front page shows the four newest posts."
      />
      <TextField
        label="Link"
        name="url"
        type="url"
        placeholder="https://www.linkedin.com/posts/…"
        defaultValue={values.url ?? ""}
        help="Where visitors can read it. It starts with https://."
      />
    </FormSection>
    <FormSection title="Engagement" help="Leave blank to use 0. Zeros aren’t shown.">
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <Count label="Likes" name="likes" value={values.likes} />
        <Count label="Comments" name="comments" value={values.comments} />
        <Count label="Shares" name="shares" value={values.shares} />
      </div>
    </FormSection>
  </PageForm>
);

const Count = ({ label, name, value }: { label: string; name: string; value: number }) => (
  <TextField label={label} name={name} type="number" min={0} step={1} defaultValue={value} />
);
