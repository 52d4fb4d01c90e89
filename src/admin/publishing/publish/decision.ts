import type { PublishProblem } from "#worker/episodes/contract.ts";
import type { Status } from "../statuses.ts";

/** A problem of an item that is about to be published. */
export type Problem = Pick<PublishProblem, "level" | "message" | "confirms">;

/** The name of the button that submits the decision of the publish dialog. */
export const DECISION = "publish";

export type Decision = {
  /** Absent if the form's own fields have the status. */
  status?: Extract<Status, "published" | "scheduled">;
  /** Milliseconds UTC: its date, or its scheduled time; null for now. */
  at?: number | null;
  /** Whether to create a letter from it. */
  isMailed: boolean;
  /** The problems confirmed in the dialog; absent if there were none. */
  checked?: string;
};

/** The dialog's decision; undefined if the form's own button was used. */
export function decisionIn(form: FormData): Decision | undefined {
  const sent = form.get(DECISION);
  return typeof sent === "string" ? (JSON.parse(sent) as Decision) : undefined;
}

/** The form with the dialog's decision written into its fields. */
export function withDecision(form: FormData): FormData {
  const decision = decisionIn(form);
  if (!decision) return form;
  const { status, at = null, isMailed, checked } = decision;
  if (status) {
    form.set("status", status);
    form.set(status === "scheduled" ? "scheduledFor" : "publishedAt", String(at ?? ""));
  }
  if (isMailed) form.set(MAILED, "on");
  if (checked !== undefined) form.set("checked", checked);
  return form;
}

/** The problems of a form that the server refused to save, and the dialog's decision. */
export type Refusal = { problems: PublishProblem[]; decision: Decision | undefined };

const MAILED = "mailed";

/** Whether to create a letter from the published item. */
export const isMailed = (form: FormData) => form.has(MAILED);

/** The confirmation value of the "publish anyway" button for these problems. */
export const confirmationOf = (problems: Problem[]) =>
  problems.some(({ confirms }) => confirms === "allowDuplicateAudio") ? "duplicate" : "yes";
