import { data, type MiddlewareFunction } from "react-router";
import { siteContext } from "#site/context.ts";
import type { Context } from "#worker/platform/context.ts";
import { can, NEEDS_SECOND_FACTOR } from "#worker/access/contract.ts";
import type { ForbiddenTab } from "./forbidden-tab.ts";
import { tabs, type TabPath } from "./tabs.ts";

/** What the shell shows of the signed-in user: name and address, and the tabs that the role may use. */
export type ShellData = {
  fullName: string;
  email: string;
  openTabs: TabPath[];
  missingFactor?: MissingFactor;
};

/** The role needs a second factor that the user lacks. */
export type MissingFactor = { dueAt: number; isDue: boolean };

/** A tab's `middleware` export: a role that may not use the tab gets neither its page nor its data. */
export const requireTab = (tab: TabPath): MiddlewareFunction<Response>[] => [
  ({ context }, next) => {
    const shell = shellDataOf(context.get(siteContext));
    if (shell.openTabs.includes(tab)) return next();
    const message = shell.missingFactor?.isDue ? NEEDS_SECOND_FACTOR : "Your role can’t do this.";
    throw data({ message, shell } satisfies ForbiddenTab, { status: 403 });
  },
];

export function shellDataOf({ actor }: Context): ShellData {
  if (actor.kind !== "user") return { fullName: "", email: "", openTabs: [] };
  const openTabs = tabs.filter(({ capability }) => can(actor.role, capability)).map(({ path }) => path);
  const { fullName, email, missingFactor } = actor;
  return { fullName, email, openTabs, missingFactor };
}
