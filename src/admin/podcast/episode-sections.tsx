import { FileField } from "#site/admin/files/file-field.tsx";
import { FormSection } from "#site/admin/form-section.tsx";
import { Button } from "#site/ui/button.tsx";
import { Checkbox, SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { EpisodeInput, EpisodeStatus } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import type { FieldErrors } from "./episode-input.ts";
import { writeTime } from "./lines.ts";
import { MomentField } from "./moment-field.tsx";
import { Repeated } from "./repeated.tsx";

/** The sections of the episode's form, in its order. */

type Fields = { values: EpisodeInput; errors: FieldErrors };

export function Words({ values, errors }: Fields) {
  return (
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
  );
}

type AudioFileProps = Fields & {
  audio: StoredFile | null;
  onAudio: (file: StoredFile | null) => void;
  onBusy: (isBusy: boolean) => void;
};

export function AudioFile({ values, errors, audio, onAudio, onBusy }: AudioFileProps) {
  return (
    <FormSection title="Audio">
      <FileField
        label="Audio file"
        name="audioFileId"
        folder="podcast-audio"
        value={audio}
        onChange={onAudio}
        onBusy={onBusy}
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
  );
}

type PictureProps = Fields & {
  image: StoredFile | null;
  /** May have a picture within. */
  audio: StoredFile | null;
  onImage: (file: StoredFile | null) => void;
  onBusy: (isBusy: boolean) => void;
};

export function Picture({ values, errors, image, audio, onImage, onBusy }: PictureProps) {
  return (
    <FormSection title="Picture">
      <FileField
        label="Episode picture"
        name="imageFileId"
        folder="podcast-images"
        value={image}
        onChange={onImage}
        onBusy={onBusy}
        error={errors["imageFileId"]}
        help="Square, 1400 to 3000 px each side, JPEG or PNG. Without one, apps show the podcast’s artwork."
      />
      {!image && audio?.artwork && (
        <Button size="sm" className="justify-self-start" onClick={() => onImage(pictureOf(audio))}>
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
  );
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

type PublishingProps = Fields & { status: EpisodeStatus; onStatus: (status: EpisodeStatus) => void };

export function Publishing({ values, errors, status, onStatus }: PublishingProps) {
  return (
    <FormSection title="Publishing">
      <SelectField
        label="Status"
        name="status"
        value={status}
        onChange={(event) => onStatus(event.currentTarget.value as EpisodeStatus)}
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
  );
}

const links = [
  { label: "Video file URL", name: "videoUrl" },
  { label: "YouTube URL", name: "youtubeUrl" },
  { label: "Spotify URL", name: "spotifyUrl" },
  { label: "Apple Podcasts URL", name: "appleUrl" },
] as const;

export function Elsewhere({ values, errors }: Fields) {
  return (
    <FormSection title="Elsewhere" help="Shown as links on the episode’s page.">
      {links.map(({ label, name }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          type="url"
          defaultValue={values[name] ?? ""}
          error={errors[name]}
        />
      ))}
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
  );
}
