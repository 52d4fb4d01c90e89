import { useEffect, useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { foldText } from "#worker/platform/text/fold.ts";
import type { OwnerHit } from "#worker/discovery/contract.ts";

/** Milliseconds without a key after which the server is asked. */
const PAUSE = 150;

export type Results = {
  /** What these were found for; what is typed now may be longer. */
  query: string | null;
  hits: OwnerHit[];
  error: string | null;
};

const nothing: Results = { query: null, hits: [], error: null };

/** What the server finds for a query; the former results until it has answered. */
export function useResults(query: string): Results {
  const [results, setResults] = useState(nothing);
  useEffect(() => {
    const asked = new AbortController();
    const ask = async () => {
      try {
        const answer = api.search.$get({ query: { q: query } }, { init: { signal: asked.signal } });
        const { items } = await readJson(answer);
        setResults({ query, hits: items, error: null });
      } catch (error) {
        if (!asked.signal.aborted) setResults({ query, hits: [], error: messageOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), query === "" ? 0 : PAUSE);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [query]);
  return results;
}

function messageOf(error: unknown) {
  if (error instanceof ApiError && error.status === 401) return "Your session has ended. Sign in again.";
  return "The search didn’t work. Check your connection, then keep typing.";
}

const wordsOf = (text: string) => foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Whether a text has words that begin with those of a query. */
export function hasWords(text: string, query: string) {
  const words = wordsOf(text);
  return wordsOf(query).every((beginning) => words.some((word) => word.startsWith(beginning)));
}
