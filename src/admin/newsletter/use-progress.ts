import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { api, readJson } from "#site/api.ts";
import type { EditableLetter } from "#worker/letters/contract.ts";
import type { LetterProgress } from "#worker/letters/report-queries.ts";
import { toast } from "../shell/toast.tsx";

/** Milliseconds between two polls. */
const INTERVAL = 2000;

/** Letters for which this window shows a toast at the end: it started them, or saw them being sent. */
const awaited = new Set<number>();

export const awaitEnd = (id: number) => awaited.add(id);

type Letter = Pick<EditableLetter, "id" | "status" | "counts" | "pausedReason">;

/** A letter's progress, polled while it is being sent. */
export function useProgress({ id, status, counts, pausedReason }: Letter): LetterProgress {
  const { revalidate } = useRevalidator();
  const [progress, setProgress] = useState<LetterProgress | null>(null);
  const isSending = status === "sending";
  useEffect(() => {
    if (status === "sending") awaitEnd(id);
    if (status === "sent" && awaited.delete(id)) announce(counts.sent);
  }, [id, status, counts.sent]);
  useEffect(() => {
    if (!isSending) return;
    let isOver = false;
    const look = async () => {
      // Ignore a lost connection: the next poll may succeed.
      const answer = await readJson(
        api.newsletters[":id"].progress.$get({ param: { id: String(id) } }),
      ).catch(() => null);
      if (isOver || !answer) return;
      setProgress(answer);
      if (answer.status !== "sending") void revalidate();
    };
    const timer = setInterval(() => void look(), INTERVAL);
    return () => {
      isOver = true;
      clearInterval(timer);
      setProgress(null);
    };
  }, [id, isSending, revalidate]);
  return progress ?? { status, counts, pausedReason };
}

const announce = (sent: number) =>
  toast.success("Newsletter Sent!", { description: `Successfully sent to ${sent} subscribers` });
