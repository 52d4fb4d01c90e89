import { useEffect, useRef, useState } from "react";
import { ApiError } from "#site/api.ts";

/** Milliseconds without typing before the words are rendered. */
const PAUSE = 400;
const FAILED = "The preview couldn’t be loaded. Keep typing to load it again.";

/** The server's rendering of words, read again whenever the typing pauses. */
export function useRendered<Rendered>(
  words: string,
  read: (words: string, signal: AbortSignal) => Promise<Rendered>,
) {
  const [rendered, setRendered] = useState<Rendered | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isFirst = useRef(true);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const stale = new AbortController();
    const show = async () => {
      try {
        setRendered(await latest.current(words, stale.signal));
        setProblem(null);
      } catch (error) {
        if (stale.signal.aborted) return;
        setProblem(error instanceof ApiError && error.code === "invalid" ? error.message : FAILED);
      }
    };
    const timer = setTimeout(() => void show(), isFirst.current ? 0 : PAUSE);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      stale.abort();
    };
  }, [words]);
  return { rendered, problem };
}
