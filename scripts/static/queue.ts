import { GONE, OTHER, targetOf, type Move, type Target } from "./targets.ts";

export type Queue = ReturnType<typeof queueOf>;

/** Requests in parallel. */
const REQUESTS = 4;

/** The targets that are still to be saved, each once. */
export function queueOf(move: Move) {
  const known = new Set<string>();
  const open: Target[] = [];
  /** The addresses of recordings that stay where they are. */
  const recordings = new Set<string>();
  const add = (target: ReturnType<typeof targetOf>) => {
    if (target === GONE || target === OTHER) return;
    if (target.file === "") recordings.add(target.href.replace(/[?#].*$/, ""));
    else if (!known.has(target.file)) {
      known.add(target.file);
      open.push(target);
    }
  };
  return {
    recordings,
    add,
    addAddresses(addresses: Iterable<string>) {
      for (const address of addresses) add(targetOf(new URL(address, move.from), move));
    },
    /** Whether a path has been added as a file or a page. */
    has: (path: string) => known.has(path) || known.has(`${path}/index.html`),
    /** Saves all targets, and those that are added in the process. */
    async saveAll(save: (target: Target) => Promise<unknown>) {
      const work = async () => {
        for (let target = open.shift(); target; target = open.shift()) await save(target);
      };
      // A worker ends when nothing is open, while others may still add more.
      while (open.length > 0) await Promise.all(Array.from({ length: REQUESTS }, work));
    },
  };
}
