import { createHash } from "node:crypto";
import type { Context } from "#worker/platform/context.ts";

/** What the picture for sharing a page shows. */
export type ShareSubject = {
  /** The page's, or the site's name. */
  title: string;
  /** The show or the site that it belongs to; empty where the title says it. */
  label: string;
  /** The key in R2 of its cover; null for a drawing in its place. */
  cover: string | null;
  /** Of that drawing, as on the page. */
  seed: number;
  figure?: number | null;
};

/** Pixels, the shape in which networks show the preview of a link. */
export const SHARE_WIDTH = 1200;
export const SHARE_HEIGHT = 630;

/** Raised when pictures are drawn otherwise than before. */
const DRAWING = 2;

const FOLDER = "/share";
/** Stands for the front page. */
const HOME = "/home";

/** The address of a page's picture. It changes with what the picture shows: networks keep what they have once fetched. */
export const sharePath = (path: string, subject: ShareSubject) =>
  `${FOLDER}${path === "/" ? HOME : path}?v=${markOf(subject)}`;

/** The page whose picture is at this path below `/share`. */
export const sharedPage = (path: string) => (path === HOME ? "/" : path);

/** Differs where the picture does. */
export const markOf = ({ title, label, cover, seed, figure = null }: ShareSubject) =>
  createHash("sha256")
    .update(JSON.stringify([DRAWING, title, label, cover, seed, figure]))
    .digest("hex")
    .slice(0, 12);

const subjects = new WeakMap<Context, ShareSubject>();

/** Remembers what the picture of the page that is being rendered shows: who renders a page for its picture asks for it. */
export const noteSubject = (ctx: Context, subject: ShareSubject) => void subjects.set(ctx, subject);
export const notedSubject = (ctx: Context) => subjects.get(ctx) ?? null;
