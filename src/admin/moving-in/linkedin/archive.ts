import { BadFile, openZip } from "../zip.ts";

export type Archive = {
  /** Shares.csv, unchanged; null if the archive has none. */
  shares: Blob | null;
  /** The pages of Articles/. */
  articles: { name: string; html: string }[];
};

/** Bytes, unpacked. */
const MOST_SHARES = 100_000_000;
const MOST_ARTICLE = 5_000_000;
const MOST_IN_ALL = 300_000_000;

const isShares = (name: string) => /(?:^|\/)shares\.csv$/i.test(name);
const isArticle = (name: string) => /(?:^|\/)articles\/[^/]+\.html?$/i.test(name);

/**
 * The posts and articles of the archive that LinkedIn lets its members download. Nothing else of it is unpacked.
 * @throws {BadFile}
 */
export async function readArchive(file: Blob): Promise<Archive> {
  const zip = await openZip(file, MOST_IN_ALL);
  try {
    const list = zip.names.find(isShares);
    const pages = zip.names.filter(isArticle);
    if (list === undefined && pages.length === 0)
      throw new BadFile("This archive has no Shares.csv and no articles.");
    const archive: Archive = { shares: list ? await zip.unpack(list, MOST_SHARES) : null, articles: [] };
    for (const name of pages)
      archive.articles.push({ name, html: await (await zip.unpack(name, MOST_ARTICLE)).text() });
    return archive;
  } finally {
    await zip.close();
  }
}
