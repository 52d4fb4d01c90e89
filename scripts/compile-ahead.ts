import type { Plugin } from "vite";

/** V8's explicit compile hints, https://v8.dev/blog/explicit-compile-hints; other engines see a comment. */
const HINT = "//# allFunctionsCalledOnLoad\n";

/**
 * Has the browser compile these chunks while it fetches them, off the main thread. Otherwise each function is compiled
 * when it is first called, which is while the page comes alive and somebody may want to use it.
 */
export function compileAhead(chunks: string[]): Plugin {
  return {
    name: "compile-ahead",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk" && chunks.includes(output.name)) output.code = HINT + output.code;
      }
    },
  };
}
