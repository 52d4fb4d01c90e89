import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { errorPage } from "#site/admin/shell/error-page.tsx";
import { TextField } from "#site/admin/form/fields.tsx";
import { ActionButton, Form, Submit } from "#site/admin/form/form.tsx";
import { text } from "#site/admin/form/read.ts";
import { FormSection } from "#site/admin/form/section.tsx";
import { act, submit } from "#site/admin/form/submit.ts";
import { load } from "#site/admin/shell/load.server.ts";
import { pageTitle } from "#site/admin/shell/page-title.ts";
import { undoDeletion } from "#site/admin/lists/undo-deletion.ts";
import { toast } from "#site/admin/shell/toast.tsx";
import { counted } from "#site/ui/format.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { FileChange, MAX_ALT, Replacement, type LibraryFile } from "#worker/files/contract.ts";
import { readFile } from "#worker/files/library/queries.ts";
import { deleteFile, FILE_DELETED } from "./delete-dialog.tsx";
import { FileFacts } from "./file-facts.tsx";
import { FilePreview } from "./file-preview.tsx";
import { FileUses } from "./file-uses.tsx";
import { filePath, LIBRARY } from "./describe-file.ts";
import { Removal } from "./removal.tsx";
import { ReplaceForm } from "./replace-form.tsx";
import type { Route } from "./+types/file";

export const meta = pageTitle("File");

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const opened = await load(readFile(ctx, id, fileReferences));
  return { ...opened, address: ctx.config.siteUrl + opened.file.url };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const param = { id };
  switch (form.get("intent")) {
    case "delete":
      return deleteFile(form, id, () => {
        toast.success(FILE_DELETED, { undo: undoDeletion("file", id) });
        return redirect(LIBRARY);
      });
    case "keep":
      return act(form, async () => {
        await readJson(api.files[":id"].$patch({ param, json: { kept: true } }));
        return "This file will be kept";
      });
    case "replace":
      return submit(form, {
        fields: { by: text },
        schema: Replacement,
        async send(json) {
          const { moved } = await readJson(api.files[":id"].replacement.$post({ param, json }));
          toast.success(moved === 0 ? "File replaced" : `File replaced in ${counted(moved, "place")}`);
          return redirect(filePath(json.by));
        },
      });
    default:
      return submit(form, {
        fields: { alt: text },
        schema: FileChange,
        async send(json) {
          await readJson(api.files[":id"].$patch({ param, json }));
          return "Description saved";
        },
      });
  }
}

export default function FilePage({ loaderData }: Route.ComponentProps) {
  const { file, uses, useCount, address } = loaderData;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold wrap-anywhere">{file.name}</h1>
      <div className="grid items-start gap-x-10 gap-y-6 pb-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <FilePreview file={file} />
        <FileFacts file={file} address={address} />
      </div>
      <FormSection title="Where it’s used">
        <FileUses uses={uses} useCount={useCount} />
      </FormSection>
      {file.kind === "picture" && <Description key={file.id} file={file} />}
      <ReplaceForm key={`replace ${file.id}`} file={file} uses={uses} useCount={useCount} />
      {!file.isUsed && !file.isKept && (
        <FormSection title="Keep">
          <p className="text-sm">Nothing uses this file. It’s deleted within two days unless you keep it.</p>
          <ActionButton intent="keep">Keep this file</ActionButton>
        </FormSection>
      )}
      <Removal key={`removal ${file.id}`} file={file} />
    </>
  );
}

const Description = ({ file }: { file: LibraryFile }) => (
  <FormSection
    title="Description"
    help="Alt text: describe the picture for people who can’t see it. It’s suggested wherever you choose the picture."
  >
    <Form>
      <TextField
        label="Description of the picture"
        name="alt"
        maxLength={MAX_ALT}
        defaultValue={file.alt}
        help="Articles and episodes without their own description of this picture show this one straight away. Existing descriptions, and texts, don’t change."
      />
      <Submit className="justify-self-start">Save description</Submit>
    </Form>
  </FormSection>
);

export const ErrorBoundary = errorPage("Failed to fetch the file");
