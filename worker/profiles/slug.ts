import { sha256 } from "#worker/platform/data/random.ts";
import { slugOf } from "#worker/platform/text/slug.ts";

/** The page of a person by name. It is derived, so that an import, a restore or an older episode needs no row for it. */
export const personPath = async (name: string) => {
  const slug = await personSlug(name);
  return slug === "" ? null : `/people/${slug}`;
};

const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;
const ASCII = /^[\x20-\x7e‘’]*$/;

/**
 * The end of the address of a person's page: "imogen-tarrant". Names of other scripts are transliterated, and end in four
 * letters of their hash, because different names of Chinese are one in Latin letters. Empty for a name without letters.
 */
export async function personSlug(name: string) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  // Most names need no tables of transliteration.
  const slug = ASCII.test(plain) ? joined(plain) : await slugOf(name);
  if (slug === "" || LATIN.test(name)) return slug;
  const mark = (await sha256(name.normalize("NFC"))).toLowerCase().replace(/[^a-z\d]/g, "");
  return `${slug}-${mark.slice(0, 4)}`;
}

const joined = (text: string) =>
  text
    .toLowerCase()
    .replace(/[‘’']/g, "")
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 110);
