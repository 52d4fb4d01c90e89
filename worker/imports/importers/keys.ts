import { sha256 } from "#worker/platform/data/random.ts";

/** The import key of an article, derived from its key at its place: the same for every user who imports it. */
export const importKeyOf = async (key: string) => `elsewhere ${await sha256(key)}`;
