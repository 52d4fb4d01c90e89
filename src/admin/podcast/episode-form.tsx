import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { FileField } from "#site/admin/files/file-field.tsx";
import { FormSection } from "#site/admin/form-section.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { useSendOnce } from "#site/ui/send-once.ts";
import { Checkbox, SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { EpisodeInput, EpisodeStatus, PublishProblem } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { ChaptersField } from "./chapters-field.tsx";
import type { FieldErrors } from "./episode-input.ts";
import { writeTime } from "./lines.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { MomentField } from "./moment-field.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { Problems } from "./problems.tsx";
import { Repeated } from "./repeated.tsx";
import { TranscriptField } from "./transcript-field.tsx";

export type SaveResult = {
  /** The server's or the contract's word; what was typed stays. */
  errors?: FieldErrors;
  /** What an app would refuse or miss, to be read before publishing. */
  problems?: PublishProblem[];
};

type Props = {
  /** The state that is edited, by its time; absent for a new episode. */
  basedOn?: number;
  values: EpisodeInput;
  audio: StoredFile | null;
  image: StoredFile | null;
  /** Where a published episode is read. */
  publicPath?: string;
  result?: SaveResult;
};

export function EpisodeForm({
  basedOn,
  values,
  audio: storedAudio,
  image: storedImage,
  publicPath,
  result,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [status, setStatus] = useState<EpisodeStatus>(values.status);
  const [audio, setAudio] = useState(storedAudio);
  const [image, setImage] = useState(storedImage);
  const [uploads, setUploads] = useState<ReadonlySet<string>>(new Set());
  const [isChanged, setChanged] = useState(false);
  const saving = useNavigation().formMethod !== undefined;
  const sendOnce = useSendOnce();
  const errors = result?.errors ?? {};
  const isUnsaved = isChanged || Boolean(result?.errors ?? result?.problems);

  const busy = (name: string) => (isBusy: boolean) =>
    setUploads((before) => {
      const after = new Set(before);
      if (isBusy) after.add(name);
      else after.delete(name);
      return after;
    });
  useFocusOnFirstError(form, result);
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
      <input type="hidden" name="savedStatus" value={values.status} />
      <input type="hidden" name="basedOn" value={basedOn ?? ""} />
      <FormSection title="Episode">
        <TextField
          label="Title"
          name="title"
          required
          maxLength={255}
          defaultValue={values.title}
          error={errors["title"]}
        />
        <TextArea
          label="Description"
          name="description"
          rows={3}
          maxLength={4000}
          defaultValue={values.description}
          error={errors["description"]}
          help="Plain text, one to three sentences. Lists and podcast apps show it."
        />
        <TextArea
          label="Show notes"
          name="showNotes"
          rows={10}
          defaultValue={values.showNotes}
          error={errors["showNotes"]}
          help="Markdown: links, headings, lists and quotes."
          className="[&_textarea]:font-mono"
        />
      </FormSection>

      <FormSection title="Audio">
        <FileField
          label="Audio file"
          name="audioFileId"
          folder="podcast-audio"
          value={audio}
          onChange={(file) => {
            setAudio(file);
            setChanged(true);
          }}
          onBusy={busy("audio")}
          error={errors["audioFileId"]}
          help="MP3 or M4A, less than 500MB. Length and size are read from the file."
        />
        {audio?.durationSeconds ? (
          <input type="hidden" name="durationMinutes" value={audio.durationSeconds / 60} />
        ) : (
          <TextField
            label="Duration (minutes)"
            name="durationMinutes"
            type="number"
            min={0}
            step="any"
            defaultValue={Math.round((values.durationSeconds / 60) * 100) / 100}
            error={errors["durationSeconds"]}
            help="Only needed where the file does not tell."
          />
        )}
      </FormSection>

      <FormSection title="Picture">
        <FileField
          label="Episode picture"
          name="imageFileId"
          folder="podcast-images"
          value={image}
          onChange={(file) => {
            setImage(file);
            setChanged(true);
          }}
          onBusy={busy("image")}
          error={errors["imageFileId"]}
          help="Square, 1400 to 3000 px each side, JPEG or PNG. Without one, apps show the podcast’s artwork."
        />
        {!image && audio?.artwork && (
          <Button
            size="sm"
            className="justify-self-start"
            onClick={() => {
              setImage(pictureOf(audio));
              setChanged(true);
            }}
          >
            Use the picture inside the audio file
          </Button>
        )}
        <TextField
          label="Description of the picture"
          name="imageAlt"
          maxLength={300}
          defaultValue={values.imageAlt}
          error={errors["imageAlt"]}
          help="For people who cannot see it."
        />
      </FormSection>

      <FormSection title="Publishing">
        <SelectField
          label="Status"
          name="status"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as EpisodeStatus)}
          error={errors["status"]}
        >
          <option value="draft">Draft</option>
          <option value="published">Published</option>
          <option value="scheduled">Scheduled</option>
          <option value="archived">Archived</option>
        </SelectField>
        {status === "scheduled" ? (
          <MomentField
            label="Publish at"
            name="scheduledFor"
            value={values.scheduledFor}
            error={errors["scheduledFor"]}
          />
        ) : (
          <MomentField
            label="Publication date"
            name="publishedAt"
            value={values.publishedAt}
            error={errors["publishedAt"]}
            help="Empty means the moment in which it is published."
          />
        )}
        <div className="grid gap-5 sm:grid-cols-3">
          <TextField
            label="Season number"
            name="seasonNumber"
            type="number"
            min={1}
            required
            defaultValue={values.seasonNumber}
            error={errors["seasonNumber"]}
          />
          <TextField
            label="Episode number"
            name="episodeNumber"
            type="number"
            min={1}
            required
            defaultValue={values.episodeNumber}
            error={errors["episodeNumber"]}
          />
          <SelectField
            label="Type"
            name="episodeType"
            defaultValue={values.episodeType}
            error={errors["episodeType"]}
          >
            <option value="full">Full episode</option>
            <option value="trailer">Trailer</option>
            <option value="bonus">Bonus</option>
          </SelectField>
        </div>
        <Checkbox label="Explicit language or content" name="explicit" defaultChecked={values.explicit} />
        <TextField
          label="Address"
          name="slug"
          maxLength={120}
          defaultValue={values.slug}
          error={errors["slug"]}
          help="Lowercase words joined by hyphens, used in /podcast/…. Empty takes it from the title."
        />
      </FormSection>

      <FormSection title="Chapters and transcript">
        <ChaptersField
          chapters={values.chapters}
          embedded={audio?.chapters ?? []}
          error={errors["chapters"]}
        />
        <TranscriptField value={values.transcript} error={errors["transcript"]} />
      </FormSection>

      <FormSection title="People">
        <PeopleFields
          people={values.people}
          error={errors["people"]}
          help="Hosts and guests of this episode."
        />
      </FormSection>

      <FormSection title="Elsewhere" help="Shown as links on the episode’s page.">
        <TextField
          label="Video file URL"
          name="videoUrl"
          type="url"
          defaultValue={values.videoUrl ?? ""}
          error={errors["videoUrl"]}
        />
        <TextField
          label="YouTube URL"
          name="youtubeUrl"
          type="url"
          defaultValue={values.youtubeUrl ?? ""}
          error={errors["youtubeUrl"]}
        />
        <TextField
          label="Spotify URL"
          name="spotifyUrl"
          type="url"
          defaultValue={values.spotifyUrl ?? ""}
          error={errors["spotifyUrl"]}
        />
        <TextField
          label="Apple Podcasts URL"
          name="appleUrl"
          type="url"
          defaultValue={values.appleUrl ?? ""}
          error={errors["appleUrl"]}
        />
        <Repeated
          legend="Soundbites"
          noun="soundbite"
          add="Add a soundbite"
          help="15 to 120 seconds that apps may offer as a taste."
          error={errors["soundbites"]}
          initial={values.soundbites.map(({ start, duration, title }) => ({
            start: writeTime(start),
            duration: String(duration),
            title,
          }))}
          empty={{ start: "", duration: "30", title: "" }}
        >
          {(row) => (
            <>
              <TextField
                label="Starts at"
                name="soundbites.start"
                placeholder="1:15"
                defaultValue={row.start}
              />
              <TextField
                label="Seconds"
                name="soundbites.duration"
                inputMode="numeric"
                defaultValue={row.duration}
              />
              <TextField label="Title" name="soundbites.title" maxLength={128} defaultValue={row.title} />
            </>
          )}
        </Repeated>
      </FormSection>

      <footer className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t border-rule bg-paper px-4 py-3 sm:mx-0 sm:px-0 [@media(max-height:30rem)]:static">
        <Button type="submit" tone="primary" busy={saving} disabled={uploads.size > 0}>
          {saveLabel(values.status, status)}
        </Button>
        <ButtonLink to="/admin/podcast">Cancel</ButtonLink>
        {publicPath && (
          <a href={publicPath} className="text-sm text-accent underline underline-offset-4 max-sm:hidden">
            View on the site
          </a>
        )}
        {errors["form"] && (
          <p role="alert" className="text-sm font-medium text-danger">
            {errors["form"]}
          </p>
        )}
        <p role="status" className="text-sm text-muted">
          {uploads.size > 0 && "You can save when the upload is complete or cancelled."}
        </p>
      </footer>

      <Problems
        problems={result?.problems ?? none}
        isScheduled={status === "scheduled"}
        busy={saving}
        onPublish={() => {
          setChanged(false);
          form.current?.requestSubmit(form.current.querySelector<HTMLButtonElement>("button[name=checked]"));
        }}
      />
      <button type="submit" name="checked" value="yes" hidden tabIndex={-1}>
        Publish anyway
      </button>
      <LeaveGuard isUnsaved={isUnsaved || uploads.size > 0} />
    </Form>
  );
}

const none: PublishProblem[] = [];

function saveLabel(before: EpisodeStatus, after: EpisodeStatus) {
  if (before === after) return after === "draft" ? "Save draft" : "Save changes";
  const labels: Record<EpisodeStatus, string> = {
    draft: "Save as draft",
    published: "Publish episode",
    scheduled: "Schedule episode",
    archived: "Archive episode",
  };
  return labels[after];
}

/** After a refusal the keyboard is where the first thing to mend is. */
function useFocusOnFirstError(form: React.RefObject<HTMLFormElement | null>, result?: SaveResult) {
  useEffect(() => {
    if (!result?.errors) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, result]);
}

/** The picture embedded in an audio file, which is a stored file of its own. */
function pictureOf({ artwork, name }: StoredFile): StoredFile | null {
  if (!artwork) return null;
  return {
    id: artwork.id,
    url: artwork.url,
    name: `Picture in ${name}`,
    type: "image/*",
    size: 0,
    durationSeconds: null,
    width: null,
    height: null,
    hasAlpha: null,
    artwork: null,
    chapters: [],
  };
}
