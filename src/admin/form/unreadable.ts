import { useEffect, type RefObject } from "react";

/** The entries that name what could not be read: "date publishedOn". */
const UNREADABLE = "unreadable";

const messages: Record<string, string> = {
  date: "Enter the whole date, or clear it.",
  month: "Enter the whole month, or clear it.",
  time: "Enter the whole time, or clear it.",
  "datetime-local": "Enter the whole date and time, or clear it.",
  number: "Enter a number, or clear it.",
};

/**
 * A browser hands over half a date and "1e" as empty. This tells `readForm` of them, in whatever is made of the form.
 * An input that has its name elsewhere says it in `data-field`.
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

/** What to say of each field that could not be read, by its name. */
export const unreadableIn = (form: FormData) =>
  Object.fromEntries(
    form.getAll(UNREADABLE).map((entry) => {
      const [type = "", name = ""] = String(entry).split(" ");
      return [name, messages[type] ?? messages["number"]!];
    }),
  );
