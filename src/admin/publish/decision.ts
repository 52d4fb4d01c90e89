import type { PublishProblem } from "#worker/episodes/contract.ts";
import type { Status } from "../publishing.ts";

/** What was found in an item that is about to be published. */
export type Problem = Pick<PublishProblem, "level" | "message" | "confirms">;

/** The name of the button that sends what the dialog before publishing decided. */
export const DECISION = "publish";

export type Decision = {
  /** Absent where the form's own fields say how it goes out. */
  status?: Extract<Status, "published" | "scheduled">;
  /** Milliseconds UTC: the date that it bears, or the moment in which it goes out; null for now. */
  at?: number | null;
  /** A letter is made of it. */
  isMailed: boolean;
  /** What was read in the dialog; absent where nothing was found. */
  checked?: string;
};

/** What the dialog decided; undefined where the form's own button sent it. */
export function decisionIn(form: FormData): Decision | undefined {
  const sent = form.get(DECISION);
  return typeof sent === "string" ? (JSON.parse(sent) as Decision) : undefined;
}

/** The form as if its own fields said what was decided in the dialog. */
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

/** What the server found in a form that it did not save, and what had been decided in the dialog before. */
export type Refusal = { problems: PublishProblem[]; decision: Decision | undefined };

const MAILED = "mailed";

/** Whether a letter is to be made of what the form published. */
export const isMailed = (form: FormData) => form.has(MAILED);

/** What the button that publishes anyway says of the problems that were read. */
export const confirmationOf = (problems: Problem[]) =>
  problems.some(({ confirms }) => confirms === "allowDuplicateAudio") ? "duplicate" : "yes";
