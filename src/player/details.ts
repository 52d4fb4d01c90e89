import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";
import type { Chapter, Episode } from "#worker/episodes/contract.ts";

/** Chapters and transcript of an episode; `plainTranscript` is one without times. */
export type Details = { chapters: Chapter[]; transcript: Paragraph[]; plainTranscript: string };

/** By episode id. */
const detailsAtom = atom<ReadonlyMap<number, Details | "loading" | "failed">>(new Map());

/** Fetches once per episode and visit, again after a failure. */
const fetchAtom = atom(null, async (get, set, id: number) => {
  const known = get(detailsAtom).get(id);
  if (known !== undefined && known !== "failed") return;
  const answer = (value: Details | "loading" | "failed") =>
    set(detailsAtom, (answers) => new Map([...answers, [id, value]]));
  answer("loading");
  try {
    answer(await fetchDetails(id));
  } catch (error) {
    console.warn(error);
    answer("failed");
  }
});

export async function fetchEpisode(id: number) {
  const response = await fetch(`/api/episodes/${id}`);
  if (!response.ok) throw new Error(`Episode ${id}: ${response.status}`);
  return (await response.json()) as Episode;
}

async function fetchDetails(id: number): Promise<Details> {
  const { chapters, transcript, plainTranscript } = await fetchEpisode(id);
  return { chapters, transcript: paragraphsOf(transcript), plainTranscript };
}

/**
 * Chapters and transcript of an episode, fetched when `isWanted`. `details` is null until they are loaded; `retry` is
 * null unless fetching failed.
 */
export function useDetails(id: number, isWanted: boolean) {
  const answer = useAtomValue(detailsAtom).get(id);
  const ask = useSetAtom(fetchAtom);
  useEffect(() => {
    if (isWanted && answer === undefined) void ask(id);
  }, [isWanted, answer, ask, id]);
  const details = typeof answer === "object" ? answer : null;
  return { details, retry: answer === "failed" ? () => void ask(id) : null };
}
