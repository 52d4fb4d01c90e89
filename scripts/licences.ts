import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.ts";

/** A package whose code, font or style is in the browser's files or in the Worker. */
export type Package = {
  name: string;
  version: string;
  /** Its SPDX expression; empty if it names none. */
  licence: string;
  /** Where its source is. */
  source: string;
  /** The texts of its licence files. */
  texts: string[];
};

/** Licences that only ask for their text to be passed on: /licenses.txt has it. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT AND Apache-2.0",
  "MIT-0",
  "OFL-1.1",
  "Unicode-3.0",
  "Unlicense",
];

/**
 * The MPL asks for the source of its own files only. These packages are used unchanged, and /licenses.txt says where
 * their source is. A changed copy of one would have to be published.
 */
const WITH_SOURCE = ["@mediabunny/aac-encoder", "@resvg/resvg-wasm", "mediabunny"];

/** What packages contain of other projects: a note, and the file of its licence in scripts/licences/. */
const CONTAINED: Record<string, { note: string; text: string }> = {
  "@mediabunny/aac-encoder": {
    note:
      "It contains libavcodec and libavutil of FFmpeg (https://ffmpeg.org), unchanged, under the LGPL 2.1 or later. " +
      "The README in its source says how to build it with another version of them.",
    text: "lgpl-2.1.txt",
  },
};

/**
 * Development packages that the bundles have too: Tailwind's own styles, the search of a static site, and what `debug`, a
 * package of micromark, requires if it is installed.
 */
const ALSO_BUNDLED = ["has-flag", "minisearch", "supports-color", "tailwindcss"];

/** The packages that may not be shipped, because their licence is unknown or asks for more than its text. */
export const refusedPackages = (packages: Pick<Package, "name" | "licence">[]) =>
  packages.filter(
    ({ name, licence }) =>
      !PERMISSIVE.includes(licence) && !(licence === "MPL-2.0" && WITH_SOURCE.includes(name)),
  );

type Locked = { dev?: true; devOptional?: true; optional?: true };
type Manifest = {
  name: string;
  version: string;
  license?: string;
  repository?: string | { url: string };
  homepage?: string;
};

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|unlicense)/i;

/** Each version once, by name: what the locked dependencies are, without those that only build, test or run Node. */
export function shippedPackages(): Package[] {
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json");
  const folders = Object.entries(packages)
    .filter(([folder, { dev, devOptional, optional }]) => folder && !dev && !devOptional && !optional)
    .map(([folder]) => folder);
  const found = [...folders, ...ALSO_BUNDLED.map((name) => `node_modules/${name}`)].map(readPackage);
  const distinct = new Map(found.map((shipped) => [`${shipped.name} ${shipped.version}`, shipped]));
  return [...distinct.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder: string): Package {
  const manifest = readJson<Manifest>(`${folder}/package.json`);
  const { name, version, license = "", repository, homepage = "" } = manifest;
  const url = typeof repository === "string" ? repository : (repository?.url ?? homepage);
  const source = url.replace(/^git\+|\.git$/g, "").replace(/^(?:git|ssh):\/\/(?:git@)?/, "https://");
  const texts = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) =>
      readFileSync(join(root, folder, entry.name), "utf8")
        .replace(/\r\n/g, "\n")
        .trim(),
    );
  const contained = CONTAINED[name];
  if (contained)
    texts.push(
      contained.note,
      readFileSync(join(root, "scripts", "licences", contained.text), "utf8").trim(),
    );
  return { name, version, licence: license, source, texts };
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as T;

const LINE = `\n\n${"-".repeat(72)}\n\n`;

/** The text of /licenses.txt: each package with its source, and each licence text once. */
export function licencesText(packages: Package[]) {
  const byText = Map.groupBy(packages, ({ texts }) => texts.join("\n\n"));
  const parts = [...byText].map(([text, shipped]) => {
    const names = shipped.map(({ name, version, licence, source }) =>
      [`${name} ${version} (${licence})`, source].filter(Boolean).join("\n  "),
    );
    const licences = new Set(shipped.map(({ licence }) => `https://spdx.org/licenses/${licence}.html`));
    return `${names.join("\n")}\n\n${text || `No licence file is in the package. ${[...licences].join(" ")}`}`;
  });
  return [`The packages that this site is built with, and their licences.`, ...parts].join(LINE) + "\n";
}
