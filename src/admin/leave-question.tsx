import { useUnsaved } from "./form/leaving.ts";

type Props = { title: string; confirm: string; children: string };

/** Asks before somebody leaves the page while something would be lost that is no form's. */
export function LeaveQuestion({ title, confirm, children: text }: Props) {
  useUnsaved(true, { title, confirm, text });
  return null;
}
