import { useEffect, useRef, useState } from "react";
import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import type { FollowUps, PublicationKind } from "#worker/publications/contract.ts";
import { toast } from "../../shell/toast.tsx";

const routes = {
  article: api.articles[":id"].publication,
  episode: api.episodes[":id"].publication,
};

/** Milliseconds between two looks while something is under way; after the last of them the owner asks. */
const WAITS = [2, 3, 5, 5, 10, 10, 10, 15, 30, 30, 60].map((seconds) => seconds * 1000);

export type Item = { kind: PublicationKind; id: string };

/** Loads the steps after a publication, and again while one is pending. */
export function useFollowUps({ kind, id }: Item) {
  const [found, setFound] = useState<FollowUps>();
  const [isLooking, setLooking] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const stop = useRef<() => void>(undefined);

  useEffect(() => {
    stop.current = startLooking({ kind, id }, show);
    return () => stop.current?.();
  }, [kind, id]);

  function show(result: FollowUps | null) {
    if (result) setFound(result);
    setFailed(result === null);
    setLooking(false);
  }

  function look() {
    stop.current?.();
    setLooking(true);
    stop.current = startLooking({ kind, id }, show);
  }

  async function retryPing() {
    try {
      await ensureOk(routes[kind].ping.$post({ param: { id } }));
      toast.success("Notifying the hub again");
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : "The connection was lost. Try again.");
    }
    look();
  }

  return { found, isLooking, hasFailed, look, retryPing };
}

/** Shows each response, null for none, until no step is pending. Returns a function that stops it. */
function startLooking({ kind, id }: Item, show: (result: FollowUps | null) => void) {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (looks: number) => {
    const result = await readJson(routes[kind].$get({ param: { id } })).catch(() => null);
    if (isOver) return;
    show(result);
    const wait = WAITS[looks];
    const isWaiting = result?.steps.some(({ state }) => state === "waiting") ?? false;
    if (isWaiting && wait !== undefined) timer = setTimeout(() => void look(looks + 1), wait);
  };
  void look(0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
