import type { Plugin } from "vite";
import { licencesText, shippedPackages } from "./licences.ts";

const FILE = "licenses.txt";

/** The package of a module: what follows the last `node_modules/`. */
const packageOf = (id: string) =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/?]+)[\\/]/.exec(id)?.[1]?.replaceAll("\\", "/");

/** Fails the build if a bundle has a package that /licenses.txt leaves out. */
export function onlyListedPackages(): Plugin {
  return {
    name: "only-listed-packages",
    generateBundle() {
      const listed = new Set(shippedPackages().map(({ name }) => name));
      const bundled = new Set([...this.getModuleIds()].flatMap((id) => packageOf(id) ?? []));
      const missing = [...bundled.difference(listed)];
      if (missing.length > 0)
        this.error(
          `${missing.join(", ")}: bundled, but not in /${FILE}. ` +
            "Make it one of the dependencies in package.json, or name it in scripts/licences.ts.",
        );
    },
  };
}

/** Writes `/licenses.txt` beside the browser's files. */
export function licencesFile(): Plugin {
  return {
    name: "licences-file",
    generateBundle() {
      if (this.environment.name !== "client") return;
      this.emitFile({ type: "asset", fileName: FILE, source: licencesText(shippedPackages()) });
    },
  };
}
