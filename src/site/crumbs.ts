import type { Crumb } from "#site/ui/breadcrumb.tsx";

/** Segments that are named by themselves. */
const named =
  /^(about|mission|podcast|episode|conversations|petitions|media|contact|essays|speaking|book|search)$/;

const labels: Record<string, string> = {
  guest: "Be a Guest",
  "privacy-policy": "Privacy Policy",
  "terms-of-service": "Terms of Service",
  "media-kit": "Media Kit",
  "three-es": "The 3 Es",
};

/** Segments that have no page of their own, and the page that stands above them instead. */
const podcast = { label: "Podcast", to: "/podcast" };
const parents: Record<string, Crumb> = { episode: podcast, playlists: podcast };

/** The way to a page; none on the home page, nor for a path without a label. */
export function crumbsOf(pathname: string): Crumb[] {
  const segments = pathname.split("/").filter(Boolean);
  const crumbs = segments.map((segment, position) => crumbOf(segments, segment, position));
  if (crumbs.length === 0 || crumbs.some((crumb) => crumb === null)) return [];
  return [{ label: "Home", to: "/" }, ...crumbs.filter((crumb) => crumb !== null)];
}

function crumbOf(segments: string[], segment: string, position: number): Crumb | null {
  const to = `/${segments.slice(0, position + 1).join("/")}`;
  const above = segments[position - 1];
  if (above === "episode" && /^\d+$/.test(segment)) return { label: `Episode ${segment}`, to };
  if (above === "playlists") return { label: "Playlist", to };
  // An essay names itself.
  if (above === "essays") return null;
  const parent = position < segments.length - 1 ? parents[segment] : undefined;
  if (parent) return parent;
  const label = named.test(segment)
    ? capitalised(segment)
    : Object.hasOwn(labels, segment) && labels[segment];
  return label ? { label, to } : null;
}

const capitalised = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase());
