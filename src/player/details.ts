import { useEffect, useState } from "react";
import { paragraphsOf, type Paragraph } from "#site/site/episode/paragraphs.ts";
import type { Chapter, Episode } from "#worker/episodes/contract.ts";

/** What is read along while an episode plays. */
export type Details = { chapters: Chapter[]; transcript: Paragraph[] };

const asked = new Map<number, Promise<Details>>();

/** Asked for once an episode and visit; again when it failed. */
function readDetails(id: number) {
  const details = asked.get(id) ?? fetchDetails(id);
  asked.set(id, details);
  details.catch(() => asked.delete(id));
  return details;
}

async function fetchDetails(id: number): Promise<Details> {
  const response = await fetch(`/api/episodes/${id}`);
  if (!response.ok) throw new Error(`Episode ${id}: ${response.status}`);
  const { chapters, transcript } = (await response.json()) as Episode;
  return { chapters, transcript: paragraphsOf(transcript) };
}

type Answer = { id: number; details: Details | null };

/**
 * An episode's chapters and transcript, fetched when they are wanted. `details` is null until they are there, and
 * `retry` is there when they could not be fetched.
 */
export function useDetails(id: number, isWanted: boolean) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const answerWith = (details: Details | null) => isCurrent && setAnswer({ id, details });
    readDetails(id).then(answerWith, (error: unknown) => {
      console.warn(error);
      answerWith(null);
    });
    return () => {
      isCurrent = false;
    };
  }, [id, isWanted, tries]);
  const here = answer?.id === id ? answer : null;
  const retry = () => {
    setAnswer(null);
    setTries(tries + 1);
  };
  return { details: here?.details ?? null, retry: here && !here.details ? retry : null };
}
