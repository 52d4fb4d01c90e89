import type { EngagementStatus } from "#worker/speaking/contract.ts";

/** Blue, green and red, as specified. */
export const statuses = {
  upcoming: { label: "Upcoming", tone: "info" },
  completed: { label: "Completed", tone: "accent" },
  cancelled: { label: "Cancelled", tone: "danger" },
} as const satisfies Record<EngagementStatus, unknown>;
