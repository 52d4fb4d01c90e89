import { useLayoutEffect, useRef, type RefObject } from "react";
import type { Location } from "react-router";
import { useAutosave } from "./autosave.tsx";
import { useGuarded, type Question } from "./leaving.ts";

type Options = {
  form: RefObject<HTMLFormElement | null>;
  /** When it was saved. */
  savedAt: number | undefined;
  isUploading: boolean;
  question: Question | undefined;
};

/** Guards a short form, which only its button saves. A reverted edit is not a change. */
export function useChanges({ form, savedAt, isUploading, question }: Options) {
  const { autosave, isChanged, isSending } = useAutosave({
    form,
    save: undefined,
    moveTo: staysThere,
    submittedAt: savedAt,
  });
  /** Its unchanged content. */
  const unchanged = useRef("");
  // Before text typed before hydration is restored.
  useLayoutEffect(() => {
    if (!autosave.isUnsaved()) unchanged.current = contentOf(form);
  });
  useGuarded(
    {
      isUnsaved: () => {
        const now = autosave.getState();
        const hasChanged = now.isChanged && contentOf(form) !== unchanged.current;
        return isUploading || now.isSending || hasChanged;
      },
      isKept: isSameAddress,
      discard: () => autosave.discard(),
      autosave,
      question,
    },
    isChanged || isSending || isUploading,
  );
  return autosave;
}

/** A short form has no address of its own. */
const staysThere = async () => {};

const isSameAddress = (current: Location, next: Location) => addressOf(current) === addressOf(next);

/** Without the parameter that the router adds for a form of an index route. */
function addressOf({ pathname, search }: Location) {
  const params = new URLSearchParams(search);
  params.delete("index");
  return `${pathname}?${params}`;
}

/** The form's content without `basedOn`. */
function contentOf({ current }: RefObject<HTMLFormElement | null>) {
  const fields = current ? [...new FormData(current)] : [];
  return JSON.stringify(fields.filter(([name]) => name !== "basedOn"));
}
