import { sha256 } from "#worker/platform/data/random.ts";

/** What an article is known by that was made of something with this key at its place, whoever imports it. */
export const importKeyOf = async (key: string) => `elsewhere ${await sha256(key)}`;
