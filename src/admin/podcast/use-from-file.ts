import { useRef, useState, type FormEvent, type RefObject } from "react";
import type { StoredFile } from "#worker/files/contract.ts";
import { typeInto } from "../form/controls.ts";

/** What was filled in from the audio file, by the field's name. */
export type FromFile = { title?: string; episodeNumber?: string };

/**
 * Fills a form's empty fields with what its audio file bears. What another file filled in counts as empty, and so does the
 * number that a new episode begins with, as long as nobody typed there.
 */
export function useFromFile(fields: RefObject<HTMLElement | null>, { isNew }: { isNew: boolean }) {
  const [filled, setFilled] = useState<FromFile>({});
  const typed = useRef(new Set<string>());
  const [isSuggested] = useState(isNew);

  const fill = (name: keyof FromFile, value: string, isOpen: boolean) => {
    const control = fields.current?.querySelector<HTMLInputElement>(`input[name=${name}]:enabled`);
    if (!control || value === "" || typed.current.has(name)) return {};
    if (!isOpen && control.value.trim() !== "" && control.value !== filled[name]) return {};
    typeInto(control, value);
    return { [name]: value };
  };
  return {
    filled,
    /** For an input whose value somebody may type. */
    onTyped({ currentTarget, nativeEvent }: FormEvent<HTMLInputElement>) {
      if (!nativeEvent.isTrusted) return;
      const { name, value } = currentTarget;
      // One that was cleared may be filled in again.
      if (value === "") typed.current.delete(name);
      else typed.current.add(name);
      setFilled((before) => ({ ...before, [name]: undefined }));
    },
    take({ tags }: StoredFile) {
      if (!tags) return;
      setFilled({
        ...fill("title", tags.title, false),
        ...fill("episodeNumber", String(tags.number ?? ""), isSuggested),
      });
    },
  };
}

/** Help of a field, which says where its value comes from. */
export const withOrigin = (isFromFile: boolean, help?: string) =>
  [isFromFile && FROM_FILE, help].filter(Boolean).join(" ") || undefined;

export const FROM_FILE = "From the file.";
