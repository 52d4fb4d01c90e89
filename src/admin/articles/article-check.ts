import { text } from "../form/read.ts";
import type { Problem } from "../publishing/publish/decision.ts";

/** What readers would miss in an essay that is about to be published. */
export function articleProblems(form: FormData): Problem[] {
  const isEmpty = (name: string) => (text(form, name) ?? "").trim() === "";
  const warn = (isMissing: boolean, message: string): Problem[] =>
    isMissing ? [{ level: "warning", message }] : [];
  return [
    ...warn(isEmpty("content"), "There’s no text yet."),
    ...warn(isEmpty("excerpt"), "There’s no excerpt for lists and link previews."),
    ...warn(
      !isEmpty("imageFileId") && isEmpty("imageAlt"),
      "The picture isn’t described for people who can’t see it.",
    ),
  ];
}
