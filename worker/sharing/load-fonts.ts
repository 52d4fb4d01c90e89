import { charactersFile, familiesFor, fontFile, type FontFamily } from "#worker/sharing/font-families.ts";
import { readMetrics, type FontMetrics } from "#worker/sharing/font-metrics.ts";

/** Font files for a picture, of one family each. */
export type LoadedFamily = FontMetrics & { family: FontFamily; files: Uint8Array[] };

/**
 * Files for one picture. A title of the longest that fits has about 60 characters, and frequent ones share files; each is
 * a request to the assets, of which an invocation has a limited number.
 */
const MOST_FILES = 32;

export type Fonts = {
  families: LoadedFamily[];
  /** False if the assets did not answer: the picture lacks letters that it might have. */
  isComplete: boolean;
};

/**
 * The fonts of a text's letters that the pictures' own fonts lack. A letter that no font has is left out.
 * `assets` is undefined where only the Worker runs.
 */
export async function loadFonts(text: string, has: FontMetrics["has"], assets: Fetcher | undefined) {
  const fonts: Fonts = { families: [], isComplete: true };
  let missing = new Set([...text].filter((character) => !has(character)));
  let files = 0;
  for (const family of familiesFor([...missing].join(""))) {
    if (missing.size === 0 || files >= MOST_FILES) break;
    if (!assets) return { ...fonts, isComplete: false };
    const subsets = (await subsetsWith(family, missing, assets))?.slice(0, MOST_FILES - files);
    if (subsets?.length === 0) continue;
    const found = await Promise.all(subsets?.map((subset) => read(assets, fontFile(family, subset))) ?? []);
    const bytes = found.filter((file) => file !== null);
    if (!subsets || bytes.length < subsets.length) fonts.isComplete = false;
    if (bytes.length === 0) continue;
    files += bytes.length;
    const loaded = { family, files: bytes, ...joined(bytes.map(readMetrics)) };
    fonts.families.push(loaded);
    missing = new Set([...missing].filter((character) => !loaded.has(character)));
  }
  return fonts;
}

const joined = (parts: FontMetrics[]): FontMetrics => ({
  has: (character) => parts.some((part) => part.has(character)),
  widthOf: (text) =>
    [...text].reduce((sum, each) => sum + (parts.find((part) => part.has(each))?.widthOf(each) ?? 0), 0),
});

/** The names of a family's files with any of these characters; null if the assets do not answer. */
async function subsetsWith(family: FontFamily, characters: Set<string>, assets: Fetcher) {
  const list = await read(assets, charactersFile(family));
  if (!list) return null;
  const ranges = JSON.parse(new TextDecoder().decode(list)) as Record<string, string>;
  const codes = [...characters].map((character) => character.codePointAt(0)!);
  return Object.entries(ranges)
    .filter(([subset]) => family.subsets.test(subset))
    .filter(([, listed]) => {
      const parsed = rangesOf(listed);
      return codes.some((code) => parsed.some(([first, last]) => code >= first && code <= last));
    })
    .map(([subset]) => subset);
}

/** CSS's `unicode-range`: `U+0301,U+0400-045F`. */
const rangesOf = (listed: string) =>
  listed.split(",").map((range) => {
    const [first, last = first] = range.replace(/^u\+/i, "").split("-");
    return [parseInt(first!, 16), parseInt(last!, 16)] as const;
  });

async function read(assets: Fetcher, path: string) {
  const answer = await assets.fetch(`https://assets.local/${path}`).catch(() => null);
  if (!answer?.ok) {
    await answer?.body?.cancel();
    return null;
  }
  return new Uint8Array(await answer.arrayBuffer());
}
