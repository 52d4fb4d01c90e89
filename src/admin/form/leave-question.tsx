import { useUnsaved } from "./leaving.ts";

type Props = { title: string; confirm: string; children: string };

/** Asks before leaving the page if something other than a form would be lost. */
export function LeaveQuestion({ title, confirm, children: text }: Props) {
  useUnsaved(true, { title, confirm, text });
  return null;
}
