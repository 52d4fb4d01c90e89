import { beginningOf } from "#worker/platform/text/excerpt.ts";

const END = " (copy)";

/** The title of a copy, in at most `max` characters. */
export const copyTitle = (title: string, max: number) => beginningOf(title, max - END.length) + END;
