import { useId, useState, type MouseEvent } from "react";
import { Button } from "#site/ui/button.tsx";
import { lazyImport } from "#site/ui/lazy-import.ts";
import type { OpenedEpisode } from "#worker/episodes/contract.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { useFormState } from "../form/context.ts";
import { useFilePeaks } from "../sound/file-peaks.ts";
import { planLevel } from "../sound/level.ts";
import type * as copyMakers from "./make-copies.ts";

/** With the writer of tags, which a form does not need before. */
const loadMakers = lazyImport(() => import("./make-copies.ts"));

type Props = {
  audio: StoredFile;
  /** Null for a new one. */
  episode: OpenedEpisode | null;
  /** The episode's picture, as the form has it. */
  image: StoredFile | null;
  /** Takes the copy, and uploads it in place of the recording. */
  onMade: (file: File) => void;
};

const NOT_LOADED = "The copy couldn’t be made. Check your connection and try again.";
const ONLY_MP3 =
  "Chapters and a cover can be written into an MP3, and its loudness can be changed. This recording has another format.";

type Make = (makers: typeof copyMakers, form: HTMLFormElement) => Promise<copyMakers.MadeCopy>;

/** Copies of an MP3 whose sound is not encoded again: with the episode's words in its tag, or at another loudness. */
export function RecordingCopies({ audio, episode, image, onMade }: Props) {
  const heading = useId();
  const { uploads } = useFormState();
  const { state } = useFilePeaks(audio, false);
  const [working, setWorking] = useState<"tag" | "level" | null>(null);
  const [problem, setProblem] = useState<string>();
  const [news, setNews] = useState<string>();
  const isBusy = working !== null || uploads.size > 0;
  const loudness = state.phase === "ready" ? state.loudness : null;
  const plan = loudness && planLevel(loudness);

  const make = async (which: "tag" | "level", form: HTMLFormElement | null, by: Make) => {
    if (!form) return;
    setWorking(which);
    setProblem(undefined);
    setNews(undefined);
    try {
      const made = await by(await loadMakers(), form);
      if ("problem" in made) setProblem(made.problem);
      else {
        setNews(made.news);
        onMade(made.file);
      }
    } catch (error) {
      console.warn("copies:", error);
      setProblem(NOT_LOADED);
    }
    setWorking(null);
  };
  const writeTag = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) =>
    make("tag", form, (makers, filled) => makers.makeTaggedCopy({ audio, episode, image, form: filled }));
  const level = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) =>
    make("level", form, (makers) => makers.makeLevelledCopy(audio, plan?.steps ?? 0));

  if (audio.type !== "audio/mpeg") return <p className="text-sm text-muted">{ONLY_MP3}</p>;
  return (
    <section aria-labelledby={heading} className="grid gap-4">
      <h3 id={heading} className="text-sm font-semibold">
        Copies of the recording
      </h3>
      <div className="grid justify-items-start gap-1.5">
        <Button
          size="sm"
          busy={working === "tag"}
          disabled={isBusy && working !== "tag"}
          aria-describedby={`${heading}-tag`}
          onClick={(event) => void writeTag(event)}
        >
          Write chapters and cover into the MP3
        </Button>
        <p id={`${heading}-tag`} className="text-sm text-muted">
          A new file with this form’s title, chapters and picture in its tag, in place of any other tag. The
          sound is the same, byte for byte.
        </p>
      </div>
      {plan && (
        <div className="grid justify-items-start gap-1.5">
          {plan.steps !== 0 && (
            <Button
              size="sm"
              busy={working === "level"}
              disabled={isBusy && working !== "level"}
              aria-describedby={`${heading}-level`}
              onClick={(event) => void level(event)}
            >
              Make a levelled copy
            </Button>
          )}
          <p id={`${heading}-level`} className="text-sm text-muted">
            {plan.words}
          </p>
        </div>
      )}
      <p role="status" className="text-sm font-medium empty:hidden">
        {news}
      </p>
      {problem && (
        <p role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
    </section>
  );
}
