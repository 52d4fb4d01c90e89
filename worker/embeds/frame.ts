/** How an embedded player is written into another site's page. Its loaders, oEmbed and the copy buttons need the same. */

/** Pixels. */
export const EMBED_WIDTH = 600;
export const EMBED_HEIGHT = 200;

export type EmbedKind = "episode" | "playlist";

export const embedPath = (kind: EmbedKind, id: number | string) => `/embed/${kind}/${id}`;

type Frame = { src: string; title: string; width?: number | "100%"; height?: number };

/** The iframe. Its title is what a screen reader calls it. */
export const frameCode = ({ src, title, width = "100%", height = EMBED_HEIGHT }: Frame) =>
  `<iframe src="${escapeAttribute(src)}" title="${escapeAttribute(title)}" width="${width}" height="${height}" ` +
  `style="border:0;max-width:100%" loading="lazy"></iframe>`;

const escapeAttribute = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
