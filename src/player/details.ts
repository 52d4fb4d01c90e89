import { atom, useAtomValue, useSetAtom } from "jotai";
import { useEffect } from "react";
import { paragraphsOf, type Paragraph } from "./paragraphs.ts";
import type { Chapter, Episode } from "#worker/episodes/contract.ts";

/** What is read along while an episode plays. */
export type Details = { chapters: Chapter[]; transcript: Paragraph[] };

/** By episode id. */
const answersAtom = atom<ReadonlyMap<number, Details | "asked" | "failed">>(new Map());

/** Asks once an episode and visit; again when that failed. */
const askAtom = atom(null, async (get, set, id: number) => {
  const known = get(answersAtom).get(id);
  if (known !== undefined && known !== "failed") return;
  const answer = (value: Details | "asked" | "failed") =>
    set(answersAtom, (answers) => new Map([...answers, [id, value]]));
  answer("asked");
  try {
    answer(await fetchDetails(id));
  } catch (error) {
    console.warn(error);
    answer("failed");
  }
});

async function fetchDetails(id: number): Promise<Details> {
  const response = await fetch(`/api/episodes/${id}`);
  if (!response.ok) throw new Error(`Episode ${id}: ${response.status}`);
  const { chapters, transcript } = (await response.json()) as Episode;
  return { chapters, transcript: paragraphsOf(transcript) };
}

/**
 * An episode's chapters and transcript, fetched when they are wanted. `details` is null until they are there; `retry` is
 * there when they could not be fetched.
 */
export function useDetails(id: number, isWanted: boolean) {
  const answer = useAtomValue(answersAtom).get(id);
  const ask = useSetAtom(askAtom);
  useEffect(() => {
    if (isWanted && answer === undefined) void ask(id);
  }, [isWanted, answer, ask, id]);
  const details = typeof answer === "object" ? answer : null;
  return { details, retry: answer === "failed" ? () => void ask(id) : null };
}
