import { useEffect, useRef, useState } from "react";
import { ApiError, api, readJson } from "#site/api.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { KNOWN_POSTS, type LeftOut } from "#worker/imports/contract.ts";
import type { Connector, Found, Post } from "./post.ts";

export type PostRow = Post & {
  state: "idle" | "importing" | "imported";
  /** Of its article. */
  id: number | null;
  problem: string | null;
  /** What became of it besides. */
  remark: string | null;
};

/** `error`: reading stopped there, and may go on. */
export type Listed = { source: string; rows: PostRow[]; leftOut: LeftOut; error: string | null };

const connectors = {
  api: lazyImport(() => import("./api-posts.ts")),
  archive: lazyImport(() => import("./archive-connector.ts")),
};

/** Why there is no list: what is wrong with the profile's address or the archive, or that LinkedIn refuses. */
export type Problem = { at: "profile" | "api" | "archive"; message: string };

/** The posts of a connector, listed as they are read. */
export function usePosts() {
  const [listed, setListed] = useState<Listed | null>(null);
  const [reading, setReading] = useState<{ from: "api" | "archive"; waiting: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const connector = useRef<Connector>(null);
  const control = useRef<AbortController>(null);
  useEffect(() => () => control.current?.abort(), []);

  const read = async (from: "api" | "archive", open: () => Promise<Connector>) => {
    const { signal } = (control.current = new AbortController());
    setProblem(null);
    setReading({ from, waiting: null });
    setListed((now) => now && { ...now, error: null });
    try {
      connector.current = await open();
      const { source } = connector.current;
      await connector.current.read({
        signal,
        onWaiting: (waiting) => setReading({ from, waiting }),
        async onFound(found) {
          const rows = withStates(found.posts, await readKnown(found.posts));
          if (!signal.aborted) setListed((now) => joined(now, { source, rows, leftOut: found.leftOut }));
        },
      });
    } catch (cause) {
      if (!signal.aborted) {
        console.error(cause);
        const message = inWords(cause);
        setListed((now) => now && { ...now, error: message });
        setProblem({ at: isOfProfile(cause) ? "profile" : from, message });
      }
    }
    setReading(null);
  };

  return {
    listed,
    reading,
    problem,
    fetchPosts: (profileUrl: string) =>
      read("api", async () => (await connectors.api()).apiConnector(profileUrl)),
    readArchive: (file: File) =>
      read("archive", async () => (await connectors.archive()).archiveConnector(file)),
    /** Reads on from where an error stopped it. */
    goOn: () => connector.current && read("api", () => Promise.resolve(connector.current!)),
    stop: () => control.current?.abort(),
    clear() {
      control.current?.abort();
      setListed(null);
      setProblem(null);
    },
    change: (to: (row: PostRow) => Partial<PostRow>) =>
      setListed((now) => now && { ...now, rows: now.rows.map((row) => ({ ...row, ...to(row) })) }),
  };
}

const isOfProfile = (cause: unknown) => cause instanceof ApiError && cause.field === "profileUrl";

function inWords(cause: unknown) {
  if (cause instanceof TypeError) return "The connection was lost.";
  return cause instanceof Error && !(cause instanceof ApiError && cause.status >= 500)
    ? cause.message
    : "The posts couldn’t be read. Please try again.";
}

/** Newest first; a post that two pages have is one. */
function joined(now: Listed | null, { source, rows, leftOut }: Omit<Listed, "error">): Listed {
  const all = new Map([...(now?.rows ?? []), ...rows].map((row) => [row.sourceUrl, row]));
  const before: LeftOut = now?.leftOut ?? { older: 0, notOriginal: 0, unread: 0 };
  return {
    source,
    error: null,
    rows: [...all.values()].toSorted((a, b) => b.originalPublishedAt - a.originalPublishedAt),
    leftOut: {
      older: before.older + leftOut.older,
      notOriginal: before.notOriginal + leftOut.notOriginal,
      unread: before.unread + leftOut.unread,
    },
  };
}

const withStates = (posts: Found["posts"], ids: (number | null)[]) =>
  posts.map((post, index): PostRow => {
    const id = ids[index] ?? null;
    return { ...post, id, state: id === null ? "idle" : "imported", problem: null, remark: null };
  });

/** The articles that posts are already: their ids, null for those that are none. */
export async function readKnown(posts: { sourceUrl: string }[]) {
  const ids: (number | null)[] = [];
  for (let at = 0; at < posts.length; at += KNOWN_POSTS) {
    const sourceUrls = posts.slice(at, at + KNOWN_POSTS).map(({ sourceUrl }) => sourceUrl);
    const { items } = await readJson(api.imports.linkedin.known.$post({ json: { sourceUrls } }));
    ids.push(...items);
  }
  return ids;
}
