import { useState } from "react";
import { siteContext } from "#site/context.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { profileDefaults, type ProfileInput } from "#worker/profiles/contract.ts";
import { readProfileForEdit } from "#worker/profiles/owner-queries.ts";
import { AltField } from "../../files/alt-field.tsx";
import { FileField } from "../../files/file-field.tsx";
import { DraftKey, TextArea, TextField } from "../../form/fields.tsx";
import { PageForm } from "../../form/form.tsx";
import { NEW } from "../../form/new-item.ts";
import { Repeated } from "../../form/repeated.tsx";
import { FormSection } from "../../form/section.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PEOPLE, profileActions } from "./save.ts";
import type { Route } from "./+types/person";

export const meta = ({ params: { id } }: Route.MetaArgs) =>
  pageTitle(id === NEW ? "Add a person" : "Edit a person")();

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) return load(readProfileForEdit(ctx, Number(id)));
  const values = { name: url.searchParams.get("name") ?? "", ...profileDefaults };
  return { values, image: null, updatedAt: undefined, slug: null };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? profileActions.create(form) : profileActions.update(form, id);
}

export default function PersonForm({
  loaderData: { values, image, updatedAt, slug },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{values.name || "A person"}</h1>
      <Fields key={id} {...{ values, slug }} basedOn={updatedAt} stored={image} />
    </>
  );
}

type FieldsProps = {
  /** The `updatedAt` of the version that is edited; absent for a new profile. */
  basedOn: number | undefined;
  values: ProfileInput;
  stored: StoredFile | null;
  /** The end of the address of their page; null for a new profile. */
  slug: string | null;
};

function Fields({ basedOn, values, stored, slug }: FieldsProps) {
  const [image, setImage] = useState(stored);
  return (
    <PageForm
      basedOn={basedOn}
      submit="Save"
      cancelTo={PEOPLE}
      footer={
        slug && (
          <a href={`/people/${slug}`} className="link text-sm max-sm:hidden">
            View on the site
          </a>
        )
      }
    >
      {basedOn === undefined && <DraftKey />}
      <FormSection title="The person">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={128}
          defaultValue={values.name}
          help="Exactly as episodes name them."
        />
        <TextArea
          label="About"
          name="about"
          rows={5}
          maxLength={2000}
          defaultValue={values.about}
          help="Plain text, a few sentences. Shown on their page."
        />
        <FileField
          label="Picture"
          name="imageFileId"
          folder="podcast-images"
          value={image}
          onChange={setImage}
          help="Square. Shown on their page, and by Podcast Addict, Podcast Guru, Fountain and Podfriend."
        />
        <AltField
          image={image}
          defaultValue={values.imageAlt}
          help="For people who can’t see it. Leave blank to use the file’s own description."
        />
        <Repeated
          name="links"
          legend="Links"
          noun="link"
          add="Add a link"
          help="Their own site, or where they write."
          initial={values.links}
          empty={{ label: "", url: "" }}
        >
          {({ label, url }) => (
            <>
              <TextField label="Text" name="links.label" maxLength={60} defaultValue={label} />
              <TextField label="Address" name="links.url" type="url" defaultValue={url} />
            </>
          )}
        </Repeated>
      </FormSection>
    </PageForm>
  );
}
