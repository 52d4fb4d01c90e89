import { AppError } from "#worker/platform/errors.ts";

type Plan = {
  status: "draft" | "published" | "scheduled" | "archived";
  /** Milliseconds UTC. */
  publishedAt: number | null;
  scheduledFor: number | null;
};

/** The dates of a status: only a scheduled row has a future date, and only it has a schedule. */
export function datesOf(now: Date, { status, publishedAt, scheduledFor }: Plan) {
  if (publishedAt !== null && publishedAt > now.getTime()) {
    throw new AppError("invalid", "This date is in the future. Choose the status Scheduled instead.", {
      field: "publishedAt",
    });
  }
  if (status === "scheduled" && (scheduledFor === null || scheduledFor <= now.getTime())) {
    throw new AppError("invalid", "Choose a time in the future.", { field: "scheduledFor" });
  }
  const published = status === "published" ? (publishedAt ?? now.getTime()) : publishedAt;
  return {
    publishedAt: published === null ? null : new Date(published),
    scheduledFor: status === "scheduled" && scheduledFor !== null ? new Date(scheduledFor) : null,
  };
}

/**
 * A schedule in the past is valid if it is unchanged: the cron tick has not run yet, or it ran while the form was open.
 * The row is then published at the scheduled time.
 */
export function publishedIfDue<P extends Plan>(now: Date, before: Plan, after: P): P {
  const { status, scheduledFor } = after;
  const wasPlanned = scheduledFor === before.scheduledFor || scheduledFor === before.publishedAt;
  if (status !== "scheduled" || scheduledFor === null || scheduledFor > now.getTime() || !wasPlanned)
    return after;
  return { ...after, status: "published", publishedAt: scheduledFor, scheduledFor: null };
}

/** Omits an empty slug and date, which the server then derives. */
export const withoutDerived = <C extends { slug?: string; publishedAt?: number | null }>(change: C) => ({
  ...change,
  slug: change.slug || undefined,
  publishedAt: change.publishedAt ?? undefined,
});

/** Two updates within one millisecond get two different times. */
export const laterThan = (before: Date, now: Date) => new Date(Math.max(now.getTime(), before.getTime() + 1));

/**
 * Runs a write; a value that breaks the unique index on `column`, such as `articles.slug`, is refused with its field.
 */
export const refusingTaken = <T>(column: string, message: string, write: () => Promise<T>) =>
  refusingBroken(
    `UNIQUE constraint failed: ${column}`,
    () => new AppError("conflict", message, { field: column.split(".").at(-1) }),
    write,
  );

/** Runs a write; breaking this constraint is an input error, not a bug. */
export async function refusingBroken<T>(
  constraint: string,
  onBroken: () => AppError | Promise<AppError>,
  write: () => Promise<T>,
) {
  try {
    return await write();
  } catch (error) {
    throw messagesOf(error).includes(constraint) ? await onBroken() : error;
  }
}

/** D1's message may be wrapped in drizzle's error. */
function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : "";
}
