import { z } from "zod";
import { line } from "#worker/platform/contract.ts";

export const services = ["off", "workers-ai", "server"] as const;
/** What answers: nothing, the platform's models, or a server with OpenAI's API. */
export type Service = (typeof services)[number];

/** Empty to remove it. */
export const ModelKey = z.strictObject({ key: line(500, "A key has at most 500 characters.") });
export type ModelKey = z.input<typeof ModelKey>;

export type KeyState = { hasKey: boolean };
