import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { FormSection } from "#site/admin/form-section.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { useSendOnce } from "#site/ui/send-once.ts";
import type { EpisodeInput, EpisodeStatus, PublishProblem } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { ChaptersField } from "./chapters-field.tsx";
import type { FieldErrors } from "./episode-input.ts";
import { AudioFile, Elsewhere, Picture, Publishing, Words } from "./episode-sections.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { Problems } from "./problems.tsx";
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
      <Words values={values} errors={errors} />
      <AudioFile
        values={values}
        errors={errors}
        audio={audio}
        onAudio={(file) => {
          setAudio(file);
          setChanged(true);
        }}
        onBusy={busy("audio")}
      />
      <Picture
        values={values}
        errors={errors}
        image={image}
        audio={audio}
        onImage={(file) => {
          setImage(file);
          setChanged(true);
        }}
        onBusy={busy("image")}
      />
      <Publishing values={values} errors={errors} status={status} onStatus={setStatus} />
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
      <Elsewhere values={values} errors={errors} />

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
