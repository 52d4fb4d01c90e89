import { useRef, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { useLocale } from "#site/ui/locale.ts";
import type {
  EpisodeInput,
  EpisodeStatus,
  OpenedEpisode,
  PublishProblem,
} from "#worker/episodes/contract.ts";
import type { Values } from "../compare/fields.tsx";
import type { Versions } from "../form/compare-versions.tsx";
import { PageForm } from "../form/form.tsx";
import { readAll, readForm } from "../form/read.ts";
import { SavedStatus } from "../form/saved-status.tsx";
import { DraftKey } from "../form/draft-key.tsx";
import { useSaveDraft } from "../form/save-draft.ts";
import { FormSections } from "../form/sections.tsx";
import { NEW } from "../new-item.ts";
import { saveLabel, withoutOpenSlug } from "../publishing.ts";
import { episodeForm } from "./episode-input.ts";
import { episodeWords } from "./episode-words.ts";
import {
  AudioFields,
  LinkFields,
  NumberFields,
  PictureFields,
  PublishingFields,
  TextFields,
} from "./episode-sections.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { confirmationOf } from "./publish-check.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { SoundFields } from "./sound-fields.tsx";

type Props = {
  name: string;
  /** Null for a new one. */
  episode: OpenedEpisode | null;
  values: EpisodeInput;
  /** What podcast apps would reject or miss, to be read before publishing. */
  problems?: PublishProblem[];
};

export function EpisodeForm({ name, episode, values, problems = none }: Props) {
  const publishAnyway = useRef<HTMLButtonElement>(null);
  const [status, setStatus] = useState<EpisodeStatus>(values.status);
  const [audio, setAudio] = useState(episode?.audio ?? null);
  const [image, setImage] = useState(episode?.image ?? null);
  return (
    <PageForm
      name={name}
      basedOn={episode?.updatedAt}
      savesDuringUpload
      saveDraft={useEpisodeDraft(episode)}
      versions={useVersions(episode)}
      keepAs={`episode-${episode?.id ?? NEW}`}
      submit={saveLabel("episode", values.status, status)}
      footer={<FooterLinks episode={episode} />}
    >
      <SavedStatus {...values} />
      {!episode && <DraftKey />}
      <FormSections
        lacking={lacking}
        sections={[
          { title: "Text", children: <TextFields values={values} audio={audio} /> },
          { title: "Number and type", children: <NumberFields values={values} /> },
          { title: "Audio", children: <AudioFields values={values} audio={audio} onAudio={setAudio} /> },
          {
            title: "Picture",
            children: <PictureFields values={values} image={image} audio={audio} onImage={setImage} />,
          },
          {
            title: SOUND,
            help: audio ? undefined : "Upload the audio to edit them while listening.",
            children: <SoundFields values={values} audio={audio} />,
          },
          {
            title: "People",
            children: <PeopleFields people={values.people} help="Hosts and guests of this episode." />,
          },
          {
            title: "Elsewhere",
            help: "Shown as links on the episode’s page.",
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
      <PublishDialog
        problems={problems}
        isScheduled={status === "scheduled"}
        onPublish={() => publishAnyway.current?.click()}
      />
      <button ref={publishAnyway} type="submit" name="checked" value={confirmationOf(problems)} hidden>
        Publish anyway
      </button>
    </PageForm>
  );
}

const SOUND = "Chapters and transcript";
const none: PublishProblem[] = [];

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

const FooterLinks = ({ episode }: Pick<Props, "episode">) => (
  <>
    <ButtonLink to="/admin/podcast">Cancel</ButtonLink>
    {episode?.values.status === "published" && (
      <a
        href={`/episode/${episode.id}`}
        className="text-sm text-accent underline underline-offset-4 max-sm:hidden"
      >
        View on the site
      </a>
    )}
  </>
);
