import { binCapabilities, kindOfKey } from "#worker/bin/contract.ts";
import { bin } from "#worker/bin/table.ts";
import { noun } from "#worker/nouns/noun.ts";

/** The deleted items protect their files from deletion. */
export const binNoun = noun({
  table: bin,
  title: "title",
  files: {
    kind: "bin",
    key: "key",
    lists: ["fileIds"],
    capabilityOf: (key) => binCapabilities[kindOfKey(key)],
  },
});
