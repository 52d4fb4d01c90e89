import type { Role, Scope } from "#worker/access/contract.ts";
import type { NewToken } from "#worker/accounts/contract.ts";
import { createToken } from "#worker/accounts/token-commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { addUser, household, openSessionOf, signedInAs } from "./accounts.ts";
import { fetchSite } from "./client.ts";

type Options = Partial<Omit<NewToken, "scopes">> & { role?: Role; at?: Partial<Context> };

/** A token of a new user, with the user. */
export async function tokenWith(
  scopes: readonly Scope[],
  { role = "super_admin", at, name = "A script", days = null }: Options = {},
) {
  const user = await addUser({ role });
  await openSessionOf(user);
  const { secret, id } = await createToken(signedInAs(user, at), { name, scopes: [...scopes], days });
  return { user, secret, id, headers: { Authorization: `Bearer ${secret}` } };
}

/** A request by token, by the path below /api. */
export const byToken = (
  { headers }: { headers: Record<string, string> },
  method: string,
  path: string,
  body?: unknown,
  others: Record<string, string> = {},
) =>
  fetchSite(`/api${path}`, {
    method,
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers, ...others },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
