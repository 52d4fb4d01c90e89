import { useEffect, useState } from "react";
import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import type {
  AcceptedTranscription,
  NewTranscription,
  TranscriptionPanel,
} from "#worker/transcription/contract.ts";

const route = api.episodes[":id"].transcription;

/** Milliseconds between two looks at a running transcription. */
const WAIT_MS = 3000;

const LOST = "The connection was lost. Check it, then try again.";

/** The episode's transcription, read again while it runs, and what the owner can do with it. */
export function useTranscription(episode: number) {
  const param = { id: String(episode) };
  const [panel, setPanel] = useState<TranscriptionPanel>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const [looks, setLooks] = useState(0);
  const isRunning = panel?.transcription?.state === "running";

  useEffect(() => {
    let isOver = false;
    const look = async () => {
      try {
        const found = await readJson(route.$get({ param: { id: String(episode) } }));
        if (isOver) return;
        setPanel(found);
        setError(undefined);
      } catch (failure) {
        if (!isOver) setError(wordsOf(failure));
      }
    };
    const timer = setTimeout(
      () => void look().then(() => isOver || !isRunning || setLooks(looks + 1)),
      looks === 0 ? 0 : WAIT_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [episode, looks, isRunning]);

  /** `what` names the button that is pressed. */
  const act = async (what: string, call: () => Promise<unknown>) => {
    setBusy(what);
    setError(undefined);
    try {
      await call();
      setPanel(await readJson(route.$get({ param })));
      return true;
    } catch (failure) {
      setError(wordsOf(failure));
      return false;
    } finally {
      setBusy(undefined);
    }
  };
  return {
    panel,
    error,
    busy,
    look: () => setLooks(looks + 1),
    start: (json: NewTranscription) => act("start", () => ensureOk(route.$post({ param, json }))),
    resume: () => act("resume", () => ensureOk(route.continue.$post({ param }))),
    accept: (json: AcceptedTranscription) =>
      act("accept", () => ensureOk(route.accept.$post({ param, json }))),
    discard: () => act("discard", () => ensureOk(route.$delete({ param }))),
  };
}

export const readDraft = (episode: number) => readJson(route.draft.$get({ param: { id: String(episode) } }));

export const wordsOf = (failure: unknown) => (failure instanceof ApiError ? failure.message : LOST);
