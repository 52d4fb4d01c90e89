import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import {
  charactersFile,
  fontFamilies,
  fontFile,
  fontFileName,
  FONTS_FOLDER,
} from "#worker/sharing/font-families.ts";
import { root } from "./tools.ts";

/** The fonts of the pictures for sharing by their path among the assets, as the paths of the packages' files. */
export function shareFontFiles() {
  const files = new Map<string, string>();
  for (const family of fontFamilies) {
    const folder = join(root, "node_modules/@fontsource-variable", family.package);
    const list = join(folder, "unicode.json");
    files.set(charactersFile(family), list);
    const present = new Set(readdirSync(join(folder, "files")));
    for (const subset of Object.keys(JSON.parse(readFileSync(list, "utf8")) as object)) {
      if (!family.subsets.test(subset)) continue;
      const name = fontFileName(family, subset);
      if (!present.has(name)) throw new Error(`${family.package} has no file ${name}.`);
      files.set(fontFile(family, subset), join(folder, "files", name));
    }
  }
  return files;
}

/** Writes `/share-fonts/…` beside the browser's files: the Worker reads them through its assets binding. */
export function shareFonts(): Plugin {
  return {
    name: "share-fonts",
    generateBundle() {
      if (this.environment.name !== "client") return;
      for (const [fileName, path] of shareFontFiles())
        this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
    },
    configureServer(server) {
      server.middlewares.use(`/${FONTS_FOLDER}`, (request, response, next) => {
        const path = shareFontFiles().get(`${FONTS_FOLDER}${request.url?.split("?")[0]}`);
        if (path) response.end(readFileSync(path));
        else next();
      });
    },
  };
}
