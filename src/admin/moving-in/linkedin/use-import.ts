import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { api, ApiError, readJson } from "#site/api.ts";
import { counted } from "#site/ui/format.ts";
import type { ImportedItem, ImportProgress, ItemState } from "#worker/imports/contract.ts";
import { toast } from "../../shell/toast.tsx";
import { sendUntilAnswered } from "../retry.ts";
import { sendImport } from "../send-import.ts";
import { itemKeyOf, itemsOf, type ImportedAs } from "./items.ts";
import { readKnown, type PostRow, type usePosts } from "./use-posts.ts";

type Posts = Pick<ReturnType<typeof usePosts>, "listed" | "change">;

/** Imports posts of the list, and updates its rows with the import's progress. */
export function useImport({ listed, change }: Posts) {
  const { revalidate } = useRevalidator();
  const [isStarting, setStarting] = useState(false);
  const [createdId, setCreatedId] = useState<number | null>(null);
  const control = useRef<AbortController>(null);
  const starts = useRef(0);
  useEffect(() => () => control.current?.abort(), []);

  const importPosts = async (rows: PostRow[], as: ImportedAs) => {
    const { signal } = (control.current = new AbortController());
    const wanted = new Set(rows.map(({ sourceUrl }) => sourceUrl));
    starts.current++;
    setStarting(true);
    change(({ sourceUrl }) => (wanted.has(sourceUrl) ? { state: "importing", problem: null } : {}));
    try {
      await sendImport({ kind: "linkedin", source: listed!.connector.source }, itemsOf(rows, as), {
        signal,
        until: (send) => sendUntilAnswered(send, { signal, onWaiting: () => {} }),
        onCreated: setCreatedId,
      });
    } catch (error) {
      if (!signal.aborted) {
        console.error(error);
        const problem =
          error instanceof ApiError ? error.message : "It couldn’t be imported. Please try again.";
        change(({ sourceUrl }) => (wanted.has(sourceUrl) ? { state: "idle", problem } : {}));
        toast.error(`${counted(rows.length, "post")} couldn’t be imported`);
      }
    }
    await revalidate();
    setStarting(false);
  };

  /** After an undo, posts whose articles were deleted can be imported again. */
  const forgetDeleted = async () => {
    const rows = listed?.rows.filter((row) => row.state === "imported") ?? [];
    const ids = await readKnown(rows);
    const deleted = new Set(rows.filter((_row, at) => ids[at] === null).map(({ sourceUrl }) => sourceUrl));
    change(({ state, sourceUrl }) =>
      state === "imported" && deleted.has(sourceUrl)
        ? { state: "idle", id: null, problem: null, remark: null }
        : {},
    );
  };

  /** Updates the rows with the progress of an import. */
  const follow = async ({ id, state, counts, undoneAt }: ImportProgress) => {
    const hasEnded = state === "done" || state === "cancelled";
    if (undoneAt !== null) {
      if (!hasEnded) return;
      toast.success(`${counted(counts.undone, "post")} deleted again`);
      return forgetDeleted();
    }
    if (hasEnded) sayHowItEnded(counts, state);
    const startsBefore = starts.current;
    const rows = listed?.rows.filter((row) => row.state !== "imported") ?? [];
    // At the end, each row gets its result, including rows that were already marked as imported.
    if (rows.length === 0 && !hasEnded) return;
    const [ids, items] = await Promise.all([readKnown(rows), readItems(id, hasEnded ? undefined : "failed")]);
    const articles = new Map(rows.map(({ sourceUrl }, at) => [sourceUrl, ids[at] ?? null]));
    const keys = new Map(
      await Promise.all(
        (listed?.rows ?? []).map(async (row) => [row.sourceUrl, await itemKeyOf(row)] as const),
      ),
    );
    // Rows of another import, started in the meantime, do not belong to the one that has ended.
    const isOver = hasEnded && starts.current === startsBefore;
    change((row) => {
      const item = items.get(keys.get(row.sourceUrl) ?? row.sourceUrl);
      const article = row.id ?? articles.get(row.sourceUrl) ?? null;
      if (article !== null)
        return { state: "imported", id: article, problem: null, remark: item?.message ?? row.remark };
      if (item?.state === "failed") return { state: "idle", problem: item.message };
      return isOver && row.state === "importing" ? { state: "idle" } : {};
    });
  };

  return { isStarting, createdId, importPosts, follow };
}

function sayHowItEnded({ done, skipped, failed }: ImportProgress["counts"], state: "done" | "cancelled") {
  if (failed > 0) return toast.error(`${counted(failed, "post")} couldn’t be imported`);
  if (state === "cancelled") return;
  const there = skipped > 0 ? `, ${skipped} already here` : "";
  toast.success(`${counted(done, "post")} imported${there}`);
}

/** Items that are read of one import; who imports more sees the rest as its list is read again. */
const MOST_PAGES = 40;

/** Items of an import by their posts' addresses, all or those in one state. */
async function readItems(importId: number, state?: ItemState) {
  const items = new Map<string, ImportedItem>();
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await readJson(
      api.imports[":id"].items.$get({ param: { id: String(importId) }, query: { before, state } }),
    );
    for (const item of answer.items) items.set(item.key, item);
    if (answer.next === null) break;
    before = answer.next;
  }
  return items;
}
