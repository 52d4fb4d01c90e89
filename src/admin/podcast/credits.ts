import type { Person } from "#worker/episodes/contract.ts";

type Credit = Pick<Person, "group" | "role">;

/** Group and role as the value of one select: a role may be in two groups. */
export const creditOf = ({ group, role }: Credit) => `${group}/${role}`;

export function readCredit(credit: string): Credit {
  const at = credit.indexOf("/");
  return { group: credit.slice(0, at), role: credit.slice(at + 1) };
}
