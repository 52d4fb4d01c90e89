import { nameOf as letterName } from "#site/admin/newsletter/letter-status.ts";
import { editPath, pageNames, versionsPath } from "#site/admin/pages/page-paths.ts";
import { formatSize } from "#site/admin/files/format.ts";
import { formatTime } from "#site/ui/format.ts";
import type { FileKind, FileUse, StoredFile } from "#worker/files/contract.ts";
import type { PageSlug } from "#worker/pages/contract.ts";

export const LIBRARY = "/admin/podcast/files";
export const filePath = (id: string) => `${LIBRARY}/${id}`;

export const kindNames: Record<FileKind, string> = {
  picture: "Pictures",
  audio: "Audio",
  other: "Documents and videos",
};

type Place = {
  label: string;
  name: (use: FileUse) => string;
  to: (item: string) => string;
  versions?: (item: string) => string;
};

const titleOf = ({ title, item }: FileUse) => title ?? item;
const below = (path: string) => (item: string) => `${path}/${item}`;
const versionsBelow = (path: string) => (item: string) => `${path}/${item}/versions`;

const places: Record<FileUse["kind"], Place> = {
  article: {
    label: "Article",
    name: titleOf,
    to: below("/admin/articles"),
    versions: versionsBelow("/admin/articles"),
  },
  episode: {
    label: "Episode",
    name: titleOf,
    to: below("/admin/podcast"),
    versions: versionsBelow("/admin/podcast"),
  },
  show: { label: "The show", name: titleOf, to: () => "/admin/podcast/show" },
  press: { label: "Media item", name: titleOf, to: below("/admin/media") },
  page: {
    label: "Page",
    name: ({ item }) => pageNames[item as PageSlug],
    to: (item) => editPath(item as PageSlug),
    versions: (item) => versionsPath(item as PageSlug),
  },
  profile: { label: "Person", name: titleOf, to: below("/admin/podcast/people") },
  venture: { label: "Venture", name: titleOf, to: below("/admin/ventures") },
  letter: {
    label: "Letter",
    name: ({ title }) => (title === null ? "A letter" : letterName({ subject: title })),
    to: below("/admin/newsletter"),
  },
  "automatic-letter": {
    label: "Automatic letter",
    name: ({ title }) => title ?? "An automatic letter",
    to: below("/admin/newsletter/automatic"),
  },
  file: { label: "Found inside", name: titleOf, to: filePath },
  bin: { label: "In the bin", name: ({ title }) => title ?? "A letter", to: () => "/admin/bin" },
};

/**
 * A use of a file: kind, name, and the page where it is edited or its versions are; null for a user who may not open
 * that.
 */
export function describeUse(use: FileUse) {
  const { label, name, to, versions } = places[use.kind];
  const version = use.isCurrent ? "" : ", earlier version";
  const place = use.isCurrent ? to : (versions ?? to);
  return {
    label: label + version + (use.mayOpen ? "" : ", admins only"),
    name: name(use),
    to: use.mayOpen ? place(use.item) : null,
  };
}

/** "1.2 MB · 1600 × 900 px". */
export const factsOf = ({ size, durationSeconds, width, height }: StoredFile) =>
  [
    formatSize(size),
    durationSeconds && formatTime(durationSeconds),
    width && height && `${width} × ${height} px`,
  ]
    .filter(Boolean)
    .join(" · ");
