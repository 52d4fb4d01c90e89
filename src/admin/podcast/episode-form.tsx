import { useRef, useState } from "react";
import { ButtonLink } from "#site/ui/button.tsx";
import type { EpisodeInput, EpisodeStatus, PublishProblem } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { saveLabel } from "../publishing.ts";
import { ChaptersField } from "./chapters-field.tsx";
import {
  AudioSection,
  LinksSection,
  PictureSection,
  PublishingSection,
  TextSection,
} from "./episode-sections.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { confirmationOf } from "./publish-check.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { TranscriptField } from "./transcript-field.tsx";

type Props = {
  /** The `updatedAt` of the version that is edited; absent for a new episode. */
  basedOn?: number;
  values: EpisodeInput;
  audio: StoredFile | null;
  image: StoredFile | null;
  /** The page of a published episode. */
  publicPath?: string;
  /** What podcast apps would reject or miss, to be read before publishing. */
  problems?: PublishProblem[];
};

export function EpisodeForm({
  basedOn,
  values,
  audio: storedAudio,
  image: storedImage,
  publicPath,
  problems = none,
}: Props) {
  const publishAnyway = useRef<HTMLButtonElement>(null);
  const [status, setStatus] = useState<EpisodeStatus>(values.status);
  const [audio, setAudio] = useState(storedAudio);
  const [image, setImage] = useState(storedImage);
  return (
    <PageForm
      basedOn={basedOn}
      submit={saveLabel("episode", values.status, status)}
      footer={<FooterLinks publicPath={publicPath} />}
    >
      <input type="hidden" name="savedStatus" value={values.status} />
      <TextSection values={values} />
      <AudioSection values={values} audio={audio} onAudio={setAudio} />
      <PictureSection values={values} image={image} audio={audio} onImage={setImage} />
      <PublishingSection values={values} status={status} onStatus={setStatus} />
      <FormSection title="Chapters and transcript">
        <ChaptersField chapters={values.chapters} embedded={audio?.chapters ?? []} />
        <TranscriptField value={values.transcript} />
      </FormSection>
      <FormSection title="People">
        <PeopleFields people={values.people} help="Hosts and guests of this episode." />
      </FormSection>
      <LinksSection values={values} />
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

const none: PublishProblem[] = [];

const FooterLinks = ({ publicPath }: Pick<Props, "publicPath">) => (
  <>
    <ButtonLink to="/admin/podcast">Cancel</ButtonLink>
    {publicPath && (
      <a href={publicPath} className="text-sm text-accent underline underline-offset-4 max-sm:hidden">
        View on the site
      </a>
    )}
  </>
);
