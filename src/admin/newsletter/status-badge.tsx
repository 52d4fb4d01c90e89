import { Badge } from "#site/ui/badge.tsx";
import type { LetterStatus } from "#worker/letters/contract.ts";

const badges = {
  draft: { label: "Draft", tone: "neutral" },
  scheduled: { label: "Scheduled", tone: "info" },
  sending: { label: "Sending", tone: "signal" },
  paused: { label: "Paused", tone: "signal" },
  sent: { label: "Sent", tone: "accent" },
  cancelled: { label: "Cancelled", tone: "danger" },
} as const satisfies Record<LetterStatus, unknown>;

export const LetterStatusBadge = ({ status }: { status: LetterStatus }) => (
  <Badge tone={badges[status].tone}>{badges[status].label}</Badge>
);
