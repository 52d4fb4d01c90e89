import { useState } from "react";
import { FileField } from "#site/admin/files/file-field.tsx";
import { useFormState } from "#site/admin/form/context.ts";
import { DateTimeField } from "#site/admin/form/date-time-field.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "#site/admin/form/fields.tsx";
import { Repeated } from "#site/admin/form/repeated.tsx";
import { FormSection } from "#site/admin/form/section.tsx";
import { Button } from "#site/ui/button.tsx";
import type { EpisodeInput, EpisodeStatus } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { writeTime } from "./chapter-lines.ts";

/** The sections of the episode's form, in its order. */

type Fields = { values: EpisodeInput };

export function TextSection({ values }: Fields) {
  return (
    <FormSection title="Episode">
      <TextField label="Title" name="title" required maxLength={255} defaultValue={values.title} />
      <TextArea
        label="Description"
        name="description"
        rows={3}
        maxLength={4000}
        defaultValue={values.description}
        help="Plain text, one to three sentences. Lists and podcast apps show it."
      />
      <TextArea
        label="Show notes"
        name="showNotes"
        rows={10}
        defaultValue={values.showNotes}
        help="Markdown: links, headings, lists and quotes."
        className="[&_textarea]:font-mono"
      />
    </FormSection>
  );
}

type AudioProps = Fields & {
  audio: StoredFile | null;
  onAudio: (file: StoredFile | null) => void;
};

export function AudioSection({ values, audio, onAudio }: AudioProps) {
  return (
    <FormSection title="Audio">
      <FileField
        label="Audio file"
        name="audioFileId"
        folder="podcast-audio"
        value={audio}
        onChange={onAudio}
        help="MP3 or M4A, also as MP4 without a picture, less than 500MB. Length and size are read from the file."
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
          help="Only needed where the file does not tell."
        />
      )}
    </FormSection>
  );
}

type PictureProps = Fields & {
  image: StoredFile | null;
  /** Its embedded picture can be used. */
  audio: StoredFile | null;
  onImage: (file: StoredFile | null) => void;
};

export function PictureSection({ values, image, audio, onImage }: PictureProps) {
  const { markChanged } = useFormState();
  const takeFromAudio = (source: StoredFile) => {
    onImage(pictureOf(source));
    markChanged();
  };
  return (
    <FormSection title="Picture">
      <FileField
        label="Episode picture"
        name="imageFileId"
        folder="podcast-images"
        value={image}
        onChange={onImage}
        help="Square, 1400 to 3000 px each side, JPEG or PNG. Without one, apps show the podcast’s artwork."
      />
      {!image && audio?.artwork && (
        <Button size="sm" className="justify-self-start" onClick={() => takeFromAudio(audio)}>
          Use the picture inside the audio file
        </Button>
      )}
      <TextField
        label="Description of the picture"
        name="imageAlt"
        maxLength={300}
        defaultValue={values.imageAlt}
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
    flaw: null,
    statedSeconds: null,
    width: null,
    height: null,
    hasAlpha: null,
    isCmyk: null,
    artwork: null,
    chapters: [],
  };
}

type PublishingProps = Fields & { status: EpisodeStatus; onStatus: (status: EpisodeStatus) => void };

export function PublishingSection({ values, status, onStatus }: PublishingProps) {
  const [type, setType] = useState(values.episodeType);
  const isTrailer = type === "trailer";
  return (
    <FormSection title="Publishing">
      <SelectField
        label="Status"
        name="status"
        value={status}
        onChange={(event) => onStatus(event.currentTarget.value as EpisodeStatus)}
      >
        <option value="draft">Draft</option>
        <option value="published">Published</option>
        <option value="scheduled">Scheduled</option>
        <option value="archived">Archived</option>
      </SelectField>
      {status === "scheduled" ? (
        <DateTimeField label="Publish at" name="scheduledFor" value={values.scheduledFor} />
      ) : (
        <DateTimeField
          label="Publication date"
          name="publishedAt"
          value={values.publishedAt}
          help="Empty means the moment in which it is published."
        />
      )}
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <TextField
          label="Season number"
          name="seasonNumber"
          type="number"
          min={1}
          key={`season ${isTrailer}`}
          defaultValue={type === values.episodeType || !isTrailer ? (values.seasonNumber ?? "") : ""}
          help={isTrailer ? "If it introduces a season." : "May be empty."}
        />
        <TextField
          label="Episode number"
          name="episodeNumber"
          type="number"
          min={1}
          key={`episode ${isTrailer}`}
          disabled={isTrailer}
          defaultValue={isTrailer ? "" : (values.episodeNumber ?? "")}
          help={isTrailer ? "A trailer has none." : "May be empty."}
        />
        <SelectField
          label="Type"
          name="episodeType"
          value={type}
          onChange={(event) => setType(event.currentTarget.value as EpisodeInput["episodeType"])}
        >
          <option value="full">Full episode</option>
          <option value="trailer">Trailer</option>
          <option value="bonus">Bonus</option>
        </SelectField>
      </div>
      <Checkbox label="Explicit language or content" name="explicit" defaultChecked={values.explicit} />
      <Checkbox
        label="Hidden: podcast directories are asked not to list this episode"
        name="blocked"
        defaultChecked={values.blocked}
      />
      <TextField
        label="Address"
        name="slug"
        maxLength={120}
        defaultValue={values.slug}
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

export function LinksSection({ values }: Fields) {
  return (
    <FormSection title="Elsewhere" help="Shown as links on the episode’s page.">
      {links.map(({ label, name }) => (
        <TextField key={name} label={label} name={name} type="url" defaultValue={values[name] ?? ""} />
      ))}
      <Repeated
        name="soundbites"
        legend="Soundbites"
        noun="soundbite"
        add="Add a soundbite"
        help="15 to 120 seconds that apps may offer as a taste."
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
