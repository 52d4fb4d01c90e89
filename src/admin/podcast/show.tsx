import categories from "podcast-categories";
import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { FileField } from "#site/admin/files/file-field.tsx";
import { FormSection } from "#site/admin/form-section.tsx";
import { refused } from "#site/admin/saving.ts";
import { titled } from "#site/admin/titled.ts";
import { Button } from "#site/ui/button.tsx";
import { Checkbox, SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { useSendOnce } from "#site/ui/send-once.ts";
import { toast } from "../toast.tsx";
import { ShowInput } from "#worker/episodes/contract.ts";
import { FEED_PATH, readShowForEdit } from "#worker/episodes/show.ts";
import { readPeople, type FieldErrors } from "./episode-input.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { errorsOf, firstOf } from "./save.ts";
import type { Route } from "./+types/show";

export const meta = titled("The podcast");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  return {
    found: await readShowForEdit(ctx),
    feedPath: FEED_PATH,
    feedUrl: `${ctx.config.siteUrl}${FEED_PATH}`,
  };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const parsed = ShowInput.safeParse({
    ...Object.fromEntries(textFields.map((name) => [name, text(name)])),
    artworkFileId: text("artworkFileId") || null,
    explicit: form.has("explicit"),
    locked: form.has("locked"),
    people: readPeople(form),
  });
  if (!parsed.success) {
    const errors: FieldErrors = {};
    for (const issue of parsed.error.issues) errors[String(issue.path[0])] ??= issue.message;
    return refused({ errors });
  }
  try {
    await readJson(api.show.$put({ json: parsed.data }));
    toast.success("Podcast updated successfully!");
    return null;
  } catch (error) {
    const errors = errorsOf(error);
    toast.error(`Error: ${firstOf(errors)}`);
    return refused({ errors });
  }
}

const textFields = [
  "title",
  "subtitle",
  "description",
  "author",
  "ownerName",
  "ownerEmail",
  "language",
  "category",
  "subcategory",
  "type",
  "copyright",
  "fundingUrl",
  "fundingText",
  "updateFrequency",
  "updateRule",
  "appleVerification",
] as const;

export default function Show({ loaderData, actionData }: Route.ComponentProps) {
  const { found, feedPath, feedUrl } = loaderData;
  const show = found?.show;
  const form = useRef<HTMLFormElement>(null);
  const [artwork, setArtwork] = useState(found?.artwork ?? null);
  const { language } = useLocale();
  const [category, setCategory] = useState(show?.category ?? "");
  const [uploading, setUploading] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const saving = useNavigation().formMethod !== undefined;
  const sendOnce = useSendOnce();
  const errors = actionData?.errors ?? {};
  useEffect(() => {
    if (actionData?.errors) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [actionData]);

  return (
    <Form
      ref={form}
      method="post"
      noValidate
      onChange={() => setChanged(true)}
      onSubmit={(event) => {
        sendOnce(event);
        setChanged(false);
      }}
    >
      <header className="mb-6 grid gap-1">
        <h1 className="text-xl font-semibold">The podcast</h1>
        <p className="text-sm text-muted">
          {show ? (
            <>
              Its feed, for Apple Podcasts, Spotify and the rest:{" "}
              <a href={feedPath} className="break-all text-accent underline underline-offset-4">
                {feedUrl}
              </a>
            </>
          ) : (
            "Describe it once; the feed exists from then on."
          )}
        </p>
      </header>
      <FormSection title="The show">
        <TextField
          label="Title"
          name="title"
          required
          maxLength={255}
          defaultValue={show?.title}
          error={errors["title"]}
        />
        <TextField
          label="Subtitle"
          name="subtitle"
          maxLength={255}
          defaultValue={show?.subtitle}
          error={errors["subtitle"]}
        />
        <TextArea
          label="Description"
          name="description"
          rows={6}
          required
          defaultValue={show?.description}
          error={errors["description"]}
          help="What it is about, for whom, how often. Plain text."
        />
        <TextField
          label="Author"
          name="author"
          required
          maxLength={255}
          defaultValue={show?.author}
          error={errors["author"]}
        />
        <FileField
          label="Artwork"
          name="artworkFileId"
          folder="podcast-images"
          value={artwork}
          onChange={(file) => {
            setArtwork(file);
            setChanged(true);
          }}
          onBusy={setUploading}
          error={errors["artworkFileId"]}
          help="Square, 1400 to 3000 px each side, JPEG or PNG without transparency, as Apple Podcasts wants it."
        />
      </FormSection>
      <FormSection title="In podcast apps">
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <SelectField
            label="Category"
            name="category"
            required
            value={category}
            onChange={(event) => setCategory(event.currentTarget.value)}
            error={errors["category"]}
          >
            <option value="">Choose…</option>
            {Object.keys(categories).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <SelectField
            key={category}
            label="Subcategory"
            name="subcategory"
            defaultValue={category === show?.category ? show.subcategory : ""}
            error={errors["subcategory"]}
          >
            <option value="">None</option>
            {Object.keys(categories[category] ?? {}).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <TextField
            label="Language"
            name="language"
            required
            defaultValue={show?.language ?? language}
            error={errors["language"]}
            help="A code such as en-AU."
          />
          <SelectField
            label="Order"
            name="type"
            defaultValue={show?.type ?? "episodic"}
            error={errors["type"]}
          >
            <option value="episodic">Newest first</option>
            <option value="serial">From the beginning</option>
          </SelectField>
        </div>
        <Checkbox label="Explicit language or content" name="explicit" defaultChecked={show?.explicit} />
        <Checkbox
          label="Locked: other hosts may not import this feed"
          name="locked"
          defaultChecked={show?.locked ?? true}
        />
        <TextField
          label="How often"
          name="updateFrequency"
          maxLength={128}
          defaultValue={show?.updateFrequency}
          error={errors["updateFrequency"]}
          placeholder="Every second Tuesday"
        />
        <TextField
          label="How often, for apps"
          name="updateRule"
          maxLength={255}
          defaultValue={show?.updateRule}
          error={errors["updateRule"]}
          placeholder="FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
          help="A recurrence rule as calendars use it; leave it empty if unsure."
        />
        <PeopleFields people={show?.people ?? []} error={errors["people"]} help="Who hosts every episode." />
      </FormSection>
      <FormSection title="Owner and support">
        <TextField
          label="Owner’s name"
          name="ownerName"
          maxLength={255}
          defaultValue={show?.ownerName}
          error={errors["ownerName"]}
        />
        <TextField
          label="Owner’s e-mail"
          name="ownerEmail"
          type="email"
          defaultValue={show?.ownerEmail}
          error={errors["ownerEmail"]}
          help="Podcast apps verify the owner through it. It is public in the feed."
        />
        <TextField
          label="Copyright"
          name="copyright"
          maxLength={255}
          defaultValue={show?.copyright}
          error={errors["copyright"]}
        />
        <TextField
          label="Support link"
          name="fundingUrl"
          type="url"
          defaultValue={show?.fundingUrl ?? ""}
          error={errors["fundingUrl"]}
        />
        <TextField
          label="Support link’s words"
          name="fundingText"
          maxLength={128}
          defaultValue={show?.fundingText}
          error={errors["fundingText"]}
        />
        <TextField
          label="Apple verification code"
          name="appleVerification"
          maxLength={255}
          defaultValue={show?.appleVerification}
          error={errors["appleVerification"]}
          help="Only while Apple Podcasts asks for it."
        />
      </FormSection>
      <footer className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t border-rule bg-paper px-4 py-3 sm:mx-0 sm:px-0 [@media(max-height:30rem)]:static">
        <Button type="submit" tone="primary" busy={saving} disabled={uploading}>
          Save changes
        </Button>
        {errors["form"] && (
          <p role="alert" className="text-sm font-medium text-danger">
            {errors["form"]}
          </p>
        )}
      </footer>
      <LeaveGuard isUnsaved={isChanged || uploading || Boolean(actionData?.errors)} />
    </Form>
  );
}
