import { Badge } from "#site/ui/badge.tsx";
import type { MailState } from "#worker/mail/contract.ts";

const badges = {
  sent: { label: "Sent", tone: "accent" },
  waiting: { label: "Waiting", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
} as const;

export const StateBadge = ({ state }: { state: MailState }) => (
  <Badge tone={badges[state].tone}>{badges[state].label}</Badge>
);
