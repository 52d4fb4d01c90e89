import { useRef, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { useLocale } from "#site/ui/locale.ts";
import type { EpisodeInput, OpenedEpisode } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import type { Values } from "../form/compare/fields.tsx";
import type { Versions } from "../form/compare-versions.tsx";
import { PageForm } from "../form/form.tsx";
import { readAll, readForm } from "../form/read.ts";
import { SavedStatus, useStoredStatus } from "../form/saved-status.tsx";
import { DraftKey } from "../form/fields.tsx";
import { useSaveDraft } from "../form/save-draft.ts";
import { FormSections } from "../form/sections.tsx";
import { NEW } from "../form/new-item.ts";
import type { Refusal } from "../publishing/publish/decision.ts";
import { publishButton, saveLabel, withoutOpenSlug } from "../publishing/statuses.ts";
import { episodeForm } from "./episode-input.ts";
import { episodeWords } from "./episode-words.ts";
import {
  AudioFields,
  LinkFields,
  NumberFields,
  PictureFields,
  pictureOf,
  PublishingFields,
  TextFields,
} from "./episode-sections.tsx";
import { AlternatesField } from "./alternates-field.tsx";
import { DiscussionFields, FundingFields, PlaceFields } from "./feed-fields.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { problemsIn } from "./publish-check.ts";
import { RecordingCopies } from "./recording-copies.tsx";
import { SoundFields } from "./sound-fields.tsx";
import { useFromFile } from "./use-from-file.ts";

type Props = {
  name: string;
  /** Null for a new one. */
  episode: OpenedEpisode | null;
  values: EpisodeInput;
  /** A letter can be made of it. */
  mayMail: boolean;
  onTitle: (title: string) => void;
  /** What podcast apps would reject or miss, to be read before publishing. */
  refusal?: Refusal;
};

export function EpisodeForm({ name, episode, values, mayMail, onTitle, refusal }: Props) {
  const [status, setStatus] = useStoredStatus(values.status);
  const [audio, setAudio] = useState(episode?.audio ?? null);
  const [image, setImage] = useState(episode?.image ?? null);
  const fields = useRef<HTMLDivElement>(null);
  const fromFile = useFromFile(fields, { isNew: episode === null });
  const [artworkId, setArtworkId] = useState<string>();
  const [copy, setCopy] = useState<File>();
  const takeAudio = (file: StoredFile | null) => {
    setAudio(file);
    // The words and the picture in a copy are those of the form.
    if (!file || (file.name === copy?.name && file.size === copy.size)) return;
    fromFile.take(file);
    const artwork = pictureOf(file);
    if (!artwork || (image && image.id !== artworkId)) return;
    setImage(artwork);
    setArtworkId(artwork.id);
  };
  return (
    <PageForm
      name={name}
      basedOn={episode?.updatedAt}
      savesDuringUpload
      saveDraft={useEpisodeDraft(episode)}
      versions={useVersions(episode)}
      keepAs={`episode-${episode?.id ?? NEW}`}
      submit={saveLabel("episode", values.status, status)}
      publishing={{
        noun: "episode",
        spec: episodeForm,
        intro: "Podcast apps may have trouble with this:",
        check: (form) => problemsIn(form, episode?.id),
        button: publishButton(values.status, status),
        isScheduled: status === "scheduled",
        mayMail,
        refusal,
      }}
      cancelTo="/admin/podcast"
      footer={<PublicLink episode={episode} />}
    >
      <SavedStatus {...values} />
      {!episode && <DraftKey />}
      <div ref={fields}>
        <FormSections
          lacking={lacking}
          sections={[
            {
              title: "Audio",
              help: episode
                ? undefined
                : "Start with the file: its title, number, picture and chapters fill in the form.",
              children: <AudioFields values={values} audio={audio} onAudio={takeAudio} copy={copy} />,
            },
            {
              title: "Text",
              children: <TextFields values={values} audio={audio} onTitle={onTitle} fromFile={fromFile} />,
            },
            { title: "Number and type", children: <NumberFields values={values} fromFile={fromFile} /> },
            {
              title: "Picture",
              children: (
                <PictureFields
                  values={values}
                  image={image}
                  isFromFile={image !== null && image.id === artworkId}
                  audio={audio}
                  onImage={setImage}
                />
              ),
            },
            {
              title: SOUND,
              help: audio ? undefined : "Upload the audio to edit them while listening.",
              children: (
                <SoundFields
                  values={values}
                  audio={audio}
                  episode={episode?.id ?? null}
                  copies={
                    audio && (
                      <RecordingCopies
                        key={audio.id}
                        audio={audio}
                        episode={episode}
                        image={image}
                        onMade={setCopy}
                      />
                    )
                  }
                />
              ),
            },
            {
              title: "People",
              children: <PeopleFields people={values.people} help="Hosts and guests of this episode." />,
            },
            {
              title: "In podcast apps",
              help: "Only the feed shows these.",
              children: (
                <>
                  <PlaceFields
                    places={values.places}
                    help="What this episode is about, or where it was recorded."
                  />
                  <AlternatesField alternates={values.alternates} />
                  <DiscussionFields discussions={values.discussions} />
                  <FundingFields
                    funding={values.funding}
                    help="For this episode alone, such as a charity that it is about."
                  />
                </>
              ),
            },
            {
              title: "Elsewhere",
              help: "Shown as links on the episode’s page, and in the feed for apps that offer another place to listen or watch.",
              children: <LinkFields values={values} />,
            },
            {
              title: "Publishing",
              children: (
                <PublishingFields
                  values={values}
                  chosenSlug={episode?.chosenSlug}
                  status={status}
                  onStatus={setStatus}
                />
              ),
            },
          ]}
        />
      </div>
    </PageForm>
  );
}

const SOUND = "Chapters and transcript";

const useEpisodeDraft = (episode: OpenedEpisode | null) =>
  useSaveDraft({
    spec: episodeForm,
    item: episode,
    path: "/admin/podcast",
    create: (json) => readJson(api.episodes.$post({ json })),
    update: (id, json) => readJson(api.episodes[":id"].$patch({ param: { id }, json })),
  });

function useVersions(episode: OpenedEpisode | null): Versions | undefined {
  const words = episodeWords(useLocale());
  if (!episode) return undefined;
  const param = { id: String(episode.id) };
  return { ...words, readMine, readSaved: () => readJson(api.episodes[":id"].$get({ param })) };
}

/** All that can be read of the form; while something in it is wrong, its texts. */
function readMine(data: FormData): Values {
  const read = readForm(data, episodeForm);
  if ("input" in read) return withoutOpenSlug(read.input);
  const { title, description, showNotes, transcript, imageAlt } = readAll(data, episodeForm.fields);
  return { title, description, showNotes, transcript, imageAlt };
}

/** What listeners, or apps, would miss. */
function lacking(form: FormData) {
  const isEmpty = (name: string) => String(form.get(name) ?? "").trim() === "";
  const textLacks = isEmpty("title")
    ? "No title"
    : isEmpty("description")
      ? "No description"
      : isEmpty("showNotes")
        ? "No show notes"
        : undefined;
  return {
    Text: textLacks,
    Audio: isEmpty("audioFileId") ? "No file" : undefined,
    Picture: !isEmpty("imageFileId") && isEmpty("imageAlt") ? "No description" : undefined,
    [SOUND]: form.has("transcript") && isEmpty("transcript") ? "No transcript" : undefined,
    Publishing: form.get("status") === "scheduled" && isEmpty("scheduledFor") ? "No date" : undefined,
  };
}

const PublicLink = ({ episode }: Pick<Props, "episode">) =>
  episode?.values.status === "published" && (
    <a href={`/episode/${episode.id}`} className="link text-sm max-sm:hidden">
      View on the site
    </a>
  );
