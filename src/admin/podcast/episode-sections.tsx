import { useState } from "react";
import { AltField } from "#site/admin/files/alt-field.tsx";
import { FileField } from "#site/admin/files/file-field.tsx";
import { useFormState } from "#site/admin/form/context.ts";
import { DateTimeField } from "#site/admin/form/date-time-field.tsx";
import { Checkbox, Options, SelectField, TextArea, TextField } from "#site/admin/form/fields.tsx";
import { MarkdownField } from "#site/admin/markdown/markdown-field.tsx";
import { statusNames } from "#site/admin/publishing/statuses.ts";
import { api, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import type { EpisodeInput, EpisodeStatus, EpisodeType } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { typeNames } from "./episode-types.ts";
import { withOrigin, type useFromFile } from "./use-from-file.ts";

/** The fields of the episode's form, by section. */

type Fields = { values: EpisodeInput };

type TextProps = Fields & {
  /** Its length decides which times in the show notes are links. */
  audio: StoredFile | null;
  onTitle: (title: string) => void;
  fromFile: ReturnType<typeof useFromFile>;
};

export function TextFields({ values, audio, onTitle, fromFile: { filled, onTyped } }: TextProps) {
  const durationSeconds = Math.round(audio?.durationSeconds ?? values.durationSeconds);
  return (
    <>
      <TextField
        label="Title"
        name="title"
        required
        maxLength={255}
        defaultValue={values.title}
        onChange={(event) => onTitle(event.currentTarget.value)}
        onInput={onTyped}
        help={withOrigin(filled.title !== undefined)}
      />
      <TextArea
        label="Description"
        name="description"
        rows={3}
        maxLength={4000}
        defaultValue={values.description}
        help="Plain text, one to three sentences. Shown in lists and podcast apps."
      />
      <div data-wide>
        <MarkdownField
          label="Show notes"
          name="showNotes"
          defaultValue={values.showNotes}
          render={(showNotes, signal) =>
            readJson(
              api.episodes.preview.$post({ json: { showNotes, durationSeconds } }, { init: { signal } }),
            )
          }
          help="Markdown. A time at the start of a line, such as 2:05, becomes a link that plays from there. Paste or drop a picture to upload it."
        />
      </div>
    </>
  );
}

type AudioProps = Fields & {
  audio: StoredFile | null;
  onAudio: (file: StoredFile | null) => void;
  /** A copy that was made of it: uploaded immediately. */
  copy: File | undefined;
};

export function AudioFields({ values, audio, onAudio, copy }: AudioProps) {
  return (
    <>
      <FileField
        label="Audio file"
        name="audioFileId"
        folder="podcast-audio"
        value={audio}
        onChange={onAudio}
        dropped={copy}
        help="MP3, M4A, or MP4 without video, less than 500MB. Length and size are read from the file."
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
          help="Only needed if the file doesn’t say."
        />
      )}
    </>
  );
}

type PictureProps = Fields & {
  image: StoredFile | null;
  /** It was found in the audio. */
  isFromFile: boolean;
  /** Its embedded picture can be used. */
  audio: StoredFile | null;
  onImage: (file: StoredFile | null) => void;
};

export function PictureFields({ values, image, isFromFile, audio, onImage }: PictureProps) {
  const { markChanged } = useFormState();
  const takeFromAudio = (source: StoredFile) => {
    onImage(pictureOf(source));
    markChanged();
  };
  return (
    <>
      <FileField
        label="Episode picture"
        name="imageFileId"
        folder="podcast-images"
        value={image}
        onChange={onImage}
        help={withOrigin(
          isFromFile,
          "Square, 1400 to 3000 px each side, JPEG or PNG. Without one, apps show the podcast’s artwork.",
        )}
      />
      {!image && audio?.artwork && (
        <Button size="sm" className="justify-self-start" onClick={() => takeFromAudio(audio)}>
          Use the picture in the audio file
        </Button>
      )}
      <AltField
        image={image}
        defaultValue={values.imageAlt}
        help="For people who can’t see it. Leave blank to use the file’s own description."
      />
    </>
  );
}

/** The picture embedded in an audio file, which is a stored file of its own. */
export function pictureOf({ artwork, name }: StoredFile): StoredFile | null {
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
    alt: "",
    hasAlpha: null,
    isCmyk: null,
    artwork: null,
    chapters: [],
    tags: null,
  };
}

type NumberProps = Fields & Pick<TextProps, "fromFile">;

export function NumberFields({ values, fromFile: { filled, onTyped } }: NumberProps) {
  const [type, setType] = useState(values.episodeType);
  const isTrailer = type === "trailer";
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <SelectField
          label="Type"
          name="episodeType"
          value={type}
          onChange={(event) => setType(event.currentTarget.value as EpisodeType)}
        >
          <Options of={Object.entries(typeNames)} />
        </SelectField>
        <TextField
          label="Season number"
          name="seasonNumber"
          type="number"
          min={1}
          key={`season ${isTrailer}`}
          defaultValue={type === values.episodeType || !isTrailer ? (values.seasonNumber ?? "") : ""}
          help={isTrailer ? "Only if it introduces a season." : "Optional."}
        />
        <TextField
          label="Episode number"
          name="episodeNumber"
          type="number"
          min={1}
          key={`episode ${isTrailer}`}
          disabled={isTrailer}
          defaultValue={isTrailer ? "" : (values.episodeNumber ?? "")}
          onInput={onTyped}
          help={
            isTrailer
              ? "Trailers have no number."
              : withOrigin(filled.episodeNumber !== undefined, "Optional.")
          }
        />
      </div>
      <Checkbox label="Explicit language or content" name="explicit" defaultChecked={values.explicit} />
    </>
  );
}

type PublishingProps = Fields & {
  chosenSlug: string | undefined;
  status: EpisodeStatus;
  onStatus: (status: EpisodeStatus) => void;
};

export const PublishingFields = ({ values, chosenSlug, status, onStatus }: PublishingProps) => (
  <>
    <SelectField
      label="Status"
      name="status"
      value={status}
      onChange={(event) => onStatus(event.currentTarget.value as EpisodeStatus)}
    >
      <Options of={Object.entries(statusNames)} />
    </SelectField>
    {status === "scheduled" ? (
      <DateTimeField label="Publish at" name="scheduledFor" value={values.scheduledFor} isSchedule />
    ) : (
      <DateTimeField
        label="Publication date"
        name="publishedAt"
        value={values.publishedAt}
        help="Leave blank to use the time you publish."
      />
    )}
    <Checkbox
      label="Ask podcast directories not to list this episode"
      name="blocked"
      defaultChecked={values.blocked}
    />
    <TextField
      label="Address"
      name="slug"
      maxLength={120}
      defaultValue={chosenSlug}
      placeholder={values.slug}
      help="The end of the link, such as a-long-lease. Leave blank to use the title."
    />
  </>
);

const links = [
  { label: "Video file URL", name: "videoUrl" },
  { label: "YouTube URL", name: "youtubeUrl" },
  { label: "Spotify URL", name: "spotifyUrl" },
  { label: "Apple Podcasts URL", name: "appleUrl" },
] as const;

export const LinkFields = ({ values }: Fields) =>
  links.map(({ label, name }) => (
    <TextField key={name} label={label} name={name} type="url" defaultValue={values[name] ?? ""} />
  ));
