import { randomBytes } from "node:crypto";
import { SHORTEST_KEY_SECRET } from "../worker/platform/data/sealed.ts";
import { Stopped } from "./deployment-plan.ts";

/** The secret that encrypts the site's own secrets in its database. */
export const KEY_SECRET = "KEY_SECRET";

type Known = {
  /** From the environment: replaces the Worker's. */
  given: string | undefined;
  /** From an earlier run. */
  saved: string | undefined;
  /** The names of the Worker's secrets; null before the first deployment. */
  secrets: string[] | null;
};

/**
 * The secret to deploy with; null if the Worker's stays, which the owner may have set by hand.
 * @throws {Stopped}
 */
export function keySecretFor({ given, saved, secrets }: Known) {
  if (given && given.split(",").some((each) => each.trim().length < SHORTEST_KEY_SECRET))
    throw new Stopped(`KEY_SECRET needs at least ${SHORTEST_KEY_SECRET} random characters.`);
  if (given) return given;
  if (secrets?.includes(KEY_SECRET)) return null;
  return saved ?? randomBytes(32).toString("base64url");
}
