import { useEffect, type RefObject } from "react";

/** The form entries for unreadable inputs: "date publishedOn". */
const UNREADABLE = "unreadable";

const messages: Record<string, string> = {
  date: "Enter the whole date, or clear it.",
  month: "Enter the whole month, or clear it.",
  time: "Enter the whole time, or clear it.",
  "datetime-local": "Enter the whole date and time, or clear it.",
  number: "Enter a number, or clear it.",
};

/**
 * A browser submits an incomplete date or "1e" as empty. This adds them to every FormData of the form, for `readForm`.
 * An input without the field's name has it in `data-field`.
 */
export function useUnreadable(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    const tell = ({ formData }: FormDataEvent) => {
      for (const control of current.elements) {
        if (!(control instanceof HTMLInputElement) || !control.validity.badInput) continue;
        formData.append(UNREADABLE, `${control.type} ${control.dataset["field"] ?? control.name}`);
      }
    };
    current.addEventListener("formdata", tell);
    return () => current.removeEventListener("formdata", tell);
  }, [form]);
}

/** Messages for unreadable fields, by name. */
export const unreadableIn = (form: FormData) =>
  Object.fromEntries(
    form.getAll(UNREADABLE).map((entry) => {
      const [type = "", name = ""] = String(entry).split(" ");
      return [name, messages[type] ?? messages["number"]!];
    }),
  );
