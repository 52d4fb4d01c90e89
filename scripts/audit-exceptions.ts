import type { Exception } from "./audit-report.ts";

/** Each ends on its day, and is refused once no advisory needs it. How long one may last: `DAYS_TO_FIX`. */
export const exceptions: Exception[] = [];
