import { useEffect, useRef, useState } from "react";
import { ApiError, api, readJson } from "#site/api.ts";
import { counted } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { KNOWN_POSTS } from "#worker/imports/contract.ts";
import { sendUntilAnswered } from "../../imports/retry.ts";
import { toast } from "../../toast.tsx";
import type { Found, Post } from "./posts.ts";

export type PostState = "idle" | "importing" | "imported";
export type PostRow = Post & {
  state: PostState;
  /** Of its article. */
  id: number | null;
  problem: string | null;
};

export type Listed = { rows: PostRow[]; leftOut: Found["leftOut"] };

const reader = lazyImport(() => import("./archive.ts"));
const finder = lazyImport(() => import("./posts.ts"));
const converter = lazyImport(() => import("../../imports/to-markdown.ts"));

/** An archive of LinkedIn's, from its choice to each imported post. */
export function useLinkedIn() {
  const [listed, setListed] = useState<Listed | null>(null);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [progress, setProgress] = useState<{ done: number; total: number; waiting: string | null } | null>(
    null,
  );
  const control = useRef<AbortController>(null);
  useEffect(() => () => control.current?.abort(), []);

  const choose = async ([file]: File[]) => {
    if (!file) return;
    setReading(true);
    setError(null);
    try {
      const [{ readArchive }, { postsOf }, convert] = await Promise.all([reader(), finder(), converter()]);
      const { posts, leftOut } = await postsOf(await readArchive(file), new Date(), convert);
      setListed({ leftOut, rows: withStates(posts, await readKnown(posts)) });
    } catch (cause) {
      console.error(cause);
      setError(cause instanceof Error ? cause.message : "The file could not be read.");
    }
    setReading(false);
  };

  const change = (sourceUrl: string, to: Partial<PostRow>) =>
    setListed(
      (now) =>
        now && {
          ...now,
          rows: now.rows.map((row) => (row.sourceUrl === sourceUrl ? { ...row, ...to } : row)),
        },
    );

  /** One after the other, so that a lost connection holds up all of them. */
  const importPosts = async (rows: PostRow[]) => {
    const { signal } = (control.current = new AbortController());
    let failed = 0;
    for (const [done, row] of rows.entries()) {
      if (signal.aborted) break;
      setProgress({ done, total: rows.length, waiting: null });
      change(row.sourceUrl, { state: "importing", problem: null });
      const result = await send(row, signal, (waiting) => setProgress({ done, total: rows.length, waiting }));
      if (result.state === "idle") failed++;
      change(row.sourceUrl, result);
    }
    setProgress(null);
    if (failed > 0) toast.error(`${counted(failed, "post")} could not be imported`);
    else if (!signal.aborted) toast.success(`${counted(rows.length, "post")} imported`);
  };

  return {
    listed,
    isReading,
    error,
    progress,
    choose,
    importPosts,
    cancel: () => control.current?.abort(),
    clear: () => setListed(null),
  };
}

const withStates = (posts: Post[], ids: (number | null)[]) =>
  posts.map((post, index): PostRow => {
    const id = ids[index] ?? null;
    return { ...post, id, state: id === null ? "idle" : "imported", problem: null };
  });

async function readKnown(posts: Post[]) {
  const ids: (number | null)[] = [];
  for (let at = 0; at < posts.length; at += KNOWN_POSTS) {
    const sourceUrls = posts.slice(at, at + KNOWN_POSTS).map(({ sourceUrl }) => sourceUrl);
    const { items } = await readJson(api.imports.linkedin.known.$post({ json: { sourceUrls } }));
    ids.push(...items);
  }
  return ids;
}

async function send(row: PostRow, signal: AbortSignal, onWaiting: (reason: string | null) => void) {
  const { title, excerpt, content, sourceUrl, originalPublishedAt } = row;
  const json = { title, excerpt, content, sourceUrl, originalPublishedAt };
  try {
    const { id } = await sendUntilAnswered(() => readJson(api.imports.linkedin.$post({ json })), {
      signal,
      onWaiting,
    });
    return { state: "imported" as const, id, problem: null };
  } catch (error) {
    if (!signal.aborted) console.error(error);
    const words = error instanceof ApiError ? error.message : "It could not be imported. Please try again.";
    return { state: "idle" as const, problem: signal.aborted ? null : words };
  }
}
