import type { LetterStatus } from "#worker/letters/contract.ts";

export const PATH = "/admin/newsletter";

/** The field of the button that saves a letter and opens its review. */
export const REVIEW = "review";

export const letterStatusNames: Record<LetterStatus, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  sent: "Sent",
  cancelled: "Cancelled",
};

export const letterStatusTones = {
  draft: "neutral",
  scheduled: "signal",
  sending: "info",
  paused: "signal",
  sent: "accent",
  cancelled: "neutral",
} as const;

/** The name of a letter, which may have no subject yet. */
export const nameOf = ({ subject }: { subject: string }) => subject || "No subject";

/** Whether it can still be edited. */
export const isOpen = (status: LetterStatus) => status === "draft" || status === "scheduled";
