import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { minify, transformWithOxc, type Plugin } from "vite";
import { root } from "./tools.ts";

const PREFIX = "inline:";

/**
 * `import script from "inline:theme"` gives `src/document/inline/theme.ts`, a module without imports, as the text of a
 * small script: for inline scripts, which run on each page before React or without it.
 */
export function inlineScripts(): Plugin {
  return {
    name: "inline-scripts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const file = join(root, "src", "document", "inline", `${id.slice(PREFIX.length + 1)}.ts`);
      this.addWatchFile(file);
      const { code } = await transformWithOxc(await readFile(file, "utf8"), file, { sourcemap: false });
      const body = code.replace(/^export \{\};?$/m, "");
      if (/^(import|export)\b/m.test(body)) this.error(`${file} is a script: it may import types only.`);
      const { code: script } = await minify(file, `(() => {${body}})()`, { module: false });
      if (script.includes("</")) this.error(`${file} would end the element that it stands in.`);
      return `export default ${JSON.stringify(script.trim())};`;
    },
  };
}
