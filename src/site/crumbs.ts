import type { Crumb } from "#site/ui/breadcrumb.tsx";

const labels: Record<string, string> = {
  about: "About",
  mission: "Mission",
  podcast: "Podcast",
  episode: "Episode",
  conversations: "Conversations",
  petitions: "Petitions",
  media: "Media",
  guest: "Be a Guest",
  contact: "Contact",
  "privacy-policy": "Privacy Policy",
  "terms-of-service": "Terms of Service",
  "media-kit": "Media Kit",
  "three-es": "The 3 Es",
  essays: "Essays",
  speaking: "Speaking",
  book: "Book",
  search: "Search",
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
  if (segments[position - 1] === "episode" && /^\d+$/.test(segment))
    return { label: `Episode ${segment}`, to };
  if (segments[position - 1] === "playlists") return { label: "Playlist", to };
  // An essay names itself.
  if (segments[position - 1] === "essays") return null;
  const parent = position < segments.length - 1 ? parents[segment] : undefined;
  if (parent) return parent;
  const label = Object.hasOwn(labels, segment) ? labels[segment] : undefined;
  return label ? { label, to } : null;
}
