import type { Badge } from "#site/ui/badge.tsx";
import type { MemberSource, MemberState } from "#worker/members/contract.ts";
import type { ComponentProps } from "react";

export const LIST = "/admin/newsletter/members";
export const TIERS = `${LIST}/tiers`;
export const memberPath = (id: number) => `${LIST}/${id}`;

export const stateNames: Record<MemberState, string> = {
  active: "Active",
  free: "Free",
  upcoming: "Not begun",
  ended: "Ended",
};

export const stateTones: Record<MemberState, ComponentProps<typeof Badge>["tone"]> = {
  active: "accent",
  free: "info",
  upcoming: "neutral",
  ended: "neutral",
};

export const sourceNames: Record<MemberSource, string> = {
  "by-hand": "Added by hand",
  free: "Without payment",
  stripe: "By card, at Stripe",
};
