import { createHash } from "node:crypto";
import type { Context } from "#worker/platform/context.ts";
import type { QuoteShape } from "#worker/sharing/quote-address.ts";

/** The subject of a picture for sharing. */
export type ShareSubject = {
  /** The page's title, or the site's name. */
  title: string;
  /** The show or the site that it belongs to; empty if the title already names it. */
  label: string;
  /** The key of its cover in R2; null for a drawn landform. */
  cover: string | null;
  /** The parameters of that drawing, as on the page. */
  seed: number;
  figure?: number | null;
  /** Words of the transcript, for a picture of these. */
  quote?: Quote;
};

export type Quote = {
  text: string;
  /** Empty if unknown. */
  speaker: string;
  shape: QuoteShape;
};

/** Pixels, the shape in which networks show the preview of a link. */
export const SHARE_WIDTH = 1200;
export const SHARE_HEIGHT = 630;

/** Raise it when the drawing changes. */
const DRAWING = 3;

const FOLDER = "/share";
/** The name of the front page. */
const HOME = "/home";

/** The address of a page's picture. It changes with the subject, since networks cache pictures permanently. */
export const sharePath = (path: string, subject: ShareSubject) =>
  `${FOLDER}${path === "/" ? HOME : path}?v=${markOf(subject)}`;

/** The page whose picture is at this path below `/share`. */
export const sharedPage = (path: string) => (path === HOME ? "/" : path);

/** A hash of everything that the picture shows. */
export const markOf = ({ title, label, cover, seed, figure = null, quote }: ShareSubject) =>
  createHash("sha256")
    .update(JSON.stringify([DRAWING, title, label, cover, seed, figure, ...(quote ? [quote] : [])]))
    .digest("hex")
    .slice(0, 12);

const subjects = new WeakMap<Context, ShareSubject>();

/** Stores the subject of the page being rendered, for the caller that renders a page only for its picture. */
export const noteSubject = (ctx: Context, subject: ShareSubject) => void subjects.set(ctx, subject);
export const notedSubject = (ctx: Context) => subjects.get(ctx) ?? null;
