import { useRef, useState, type FormEvent, type RefObject } from "react";
import type { StoredFile } from "#worker/files/contract.ts";
import { typeInto } from "../form/controls.ts";

/** The values filled in from the audio file, by field name. */
export type FromFile = { title?: string; episodeNumber?: string };

/**
 * Fills a form's empty fields from the tags of its audio file. A value from an earlier file counts as empty, and so
 * does the suggested number of a new episode, until the owner types in the field.
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
    /** For inputs that the owner may type in. */
    onTyped({ currentTarget, nativeEvent }: FormEvent<HTMLInputElement>) {
      if (!nativeEvent.isTrusted) return;
      const { name, value } = currentTarget;
      // A field that was cleared may be filled in again.
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

/** A field's help, with the origin of its value. */
export const withOrigin = (isFromFile: boolean, help?: string) =>
  [isFromFile && FROM_FILE, help].filter(Boolean).join(" ") || undefined;

export const FROM_FILE = "From the file.";
