import { ApiError, api, readJson } from "#site/api.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { KNOWN_POSTS, type LeftOut } from "#worker/imports/contract.ts";
import { percentOf, useWizard, type SourceWork } from "../wizard/use-wizard.ts";
import type { Connector, Found, Post } from "./post.ts";

export type PostRow = Post & {
  state: "idle" | "importing" | "imported";
  /** Of its article. */
  id: number | null;
  problem: string | null;
  /** An additional note on its result. */
  remark: string | null;
};

export type Listed = { connector: Connector; rows: PostRow[]; leftOut: LeftOut };

/** The profile or archive; `connector` can continue where it stopped. */
type Chosen = { from: "api" | "archive"; connector: () => Promise<Connector> };

const connectors = {
  api: lazyImport(() => import("./api-posts.ts")),
  archive: lazyImport(() => import("./archive-connector.ts")),
};

/** Why there is no list: a wrong profile address, a bad archive, or a refusal by LinkedIn. */
export type Problem = { at: "profile" | "api" | "archive"; message: string };

/** Posts are listed while they are read, and imported one by one, so there is no run of all of them. */
const postsWork: SourceWork<Chosen, Listed, never, never> = {
  begin: percentOf("Reading the posts", 0),
  wordsOf,
  async read(chosen, { signal, until, showPlan }) {
    const connector = await chosen.connector();
    await connector.read({
      signal,
      until,
      async onFound({ posts, leftOut }) {
        const rows = withStates(posts, await readKnown(posts));
        showPlan((now) => joined(now, { connector, rows, leftOut }));
      },
    });
    return null;
  },
  run: () => Promise.reject(new Error("Posts are imported one by one.")),
};

/** The posts of a profile or an archive. */
export function usePosts() {
  const { state, read, stop, clear, changePlan } = useWizard(postsWork);
  const under = state.step === "read" ? state : state.step === "plan" ? state.reading : null;
  const refusal = state.step === "choose" ? state.refusal : null;
  const listed = state.step === "plan" ? state.plan : null;
  return {
    listed,
    /** Why reading stopped; it can be continued. */
    error: state.step === "plan" ? state.error : null,
    reading: under && { from: under.input.from, waiting: under.waiting },
    problem: refusal && {
      at: isOfProfile(refusal.cause) ? ("profile" as const) : refusal.input.from,
      message: refusal.error,
    },
    fetchPosts: (profileUrl: string) =>
      read({ from: "api", connector: async () => (await connectors.api()).apiConnector(profileUrl) }),
    readArchive: (file: File) =>
      read({ from: "archive", connector: async () => (await connectors.archive()).archiveConnector(file) }),
    /** Continues reading after an error. */
    goOn: () =>
      listed && read({ from: "api", connector: () => Promise.resolve(listed.connector) }, { again: true }),
    stop,
    clear,
    change: (to: (row: PostRow) => Partial<PostRow>) =>
      changePlan((now) => ({ ...now, rows: now.rows.map((row) => ({ ...row, ...to(row) })) })),
  };
}

const isOfProfile = (cause: unknown) => cause instanceof ApiError && cause.field === "profileUrl";

function wordsOf(cause: unknown) {
  console.error(cause);
  if (cause instanceof TypeError) return "The connection was lost.";
  return cause instanceof Error && !(cause instanceof ApiError && cause.status >= 500)
    ? cause.message
    : "The posts couldn’t be read. Please try again.";
}

/** Newest first; a post that two pages have is one. */
function joined(now: Listed | null, { connector, rows, leftOut }: Listed): Listed {
  const all = new Map([...(now?.rows ?? []), ...rows].map((row) => [row.sourceUrl, row]));
  const before: LeftOut = now?.leftOut ?? { older: 0, notOriginal: 0, unread: 0 };
  return {
    connector,
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

/** The ids of the articles that posts already are; null for others. */
export async function readKnown(posts: { sourceUrl: string }[]) {
  const ids: (number | null)[] = [];
  for (let at = 0; at < posts.length; at += KNOWN_POSTS) {
    const sourceUrls = posts.slice(at, at + KNOWN_POSTS).map(({ sourceUrl }) => sourceUrl);
    const { items } = await readJson(api.imports.linkedin.known.$post({ json: { sourceUrls } }));
    ids.push(...items);
  }
  return ids;
}
