import type { Plugin } from "vite";

/** V8's explicit compile hints, https://v8.dev/blog/explicit-compile-hints; other engines see a comment. */
const HINT = "//# allFunctionsCalledOnLoad\n";

/**
 * Has the browser compile these chunks while it fetches them, off the main thread. Otherwise each function is compiled
 * on its first call, during hydration, when a visitor may already use the page. The build fails when a chunk is
 * missing.
 */
export function compileAhead(chunks: string[]): Plugin {
  return {
    name: "compile-ahead",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle).filter((output) => output.type === "chunk");
      for (const name of chunks) {
        const chunk = outputs.find((output) => output.name === name);
        if (!chunk) return this.error(`There is no chunk called ${name} to compile ahead.`);
        chunk.code = HINT + chunk.code;
      }
    },
  };
}
