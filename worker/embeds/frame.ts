/** The embed code of a player for another site's page, shared by oEmbed and the copy buttons. */

/** Pixels. */
export const EMBED_WIDTH = 600;
export const EMBED_HEIGHT = 200;

export type EmbedKind = "episode" | "playlist";

export const embedPath = (kind: EmbedKind, id: number | string) => `/embed/${kind}/${id}`;

type Frame = { src: string; title: string; width?: number | "100%"; height?: number };

/** The iframe. Screen readers announce its title. */
export const frameCode = ({ src, title, width = "100%", height = EMBED_HEIGHT }: Frame) =>
  `<iframe src="${escapeAttribute(src)}" title="${escapeAttribute(title)}" width="${width}" height="${height}" ` +
  `style="border:0;max-width:100%" loading="lazy"></iframe>`;

const escapeAttribute = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
