import type { WithSecret } from "#worker/webhooks/contract.ts";

/** The webhook and secret in an action's answer, if it made one. */
export const madeIn = (answer: unknown) =>
  typeof answer === "object" && answer !== null && "made" in answer ? (answer.made as WithSecret) : null;
