import { data, type MiddlewareFunction } from "react-router";
import { siteContext } from "#site/context.ts";
import type { Context } from "#worker/platform/context.ts";
import { can } from "#worker/platform/contract.ts";
import type { RefusedTab } from "./refused-tab.ts";
import { tabs, type TabPath } from "./tabs.ts";

/** What the frame shows of who is signed in: their name, and the tabs that their role opens. */
export type FrameData = { fullName: string; openTabs: TabPath[] };

/** A tab's `middleware` export: neither its page nor its data reaches a role that may not use it. */
export const needs = (tab: TabPath): MiddlewareFunction<Response>[] => [
  ({ context }, next) => {
    const frame = frameOf(context.get(siteContext));
    if (frame.openTabs.includes(tab)) return next();
    throw data({ message: "Your role does not allow this.", frame } satisfies RefusedTab, { status: 403 });
  },
];

export function frameOf({ actor }: Context): FrameData {
  if (actor.kind !== "user") return { fullName: "", openTabs: [] };
  const openTabs = tabs.filter(({ capability }) => can(actor.role, capability)).map(({ path }) => path);
  return { fullName: actor.fullName, openTabs };
}
