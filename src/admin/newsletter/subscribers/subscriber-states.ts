import type { Badge } from "#site/ui/badge.tsx";
import type { FutureMember, SubscriberListQuery, SubscriberSummary } from "#worker/newsletter/contract.ts";
import type { ComponentProps } from "react";

export const LIST = "/admin/newsletter/subscribers";
export const IMPORT = `${LIST}/import`;
export const subscriberPath = (id: string) => `${LIST}/${id}`;

type BadgeLook = { label: string; tone: ComponentProps<typeof Badge>["tone"] };

/** Whether the address was ever confirmed. */
export const verifiedBadge = ({ verifiedAt }: SubscriberSummary): BadgeLook =>
  verifiedAt === null ? { label: "Pending", tone: "signal" } : { label: "Verified", tone: "accent" };

/** Whether the address may get letters. */
export function statusBadge({ state, pausedUntil }: SubscriberSummary): BadgeLook {
  if (pausedUntil !== null) return { label: "Paused", tone: "info" };
  switch (state) {
    case "confirmed":
    case "pending":
      return { label: "Active", tone: "accent" };
    case "unsubscribed":
      return { label: "Unsubscribed", tone: "neutral" };
    case "bounced":
      return { label: "Bounced", tone: "danger" };
    case "complained":
      return { label: "Complained", tone: "danger" };
  }
}

export const stateNames: Record<NonNullable<SubscriberListQuery["state"]>, string> = {
  confirmed: "Verified",
  pending: "Pending",
  paused: "Paused",
  unsubscribed: "Unsubscribed",
  bounced: "Bounced",
  complained: "Complained",
  "future-member": "Future member",
};

/** How a reader paid at the former service. */
export const futureMemberNames: Record<FutureMember, string> = {
  paid: "Paid at the former service",
  comp: "Had a complimentary membership at the former service",
  founding: "Founding member at the former service",
};
