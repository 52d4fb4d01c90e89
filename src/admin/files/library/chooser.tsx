import { useEffect, useState } from "react";
import { api, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { FileKind, LibraryFile, StoredFile } from "#worker/files/contract.ts";
import { factsOf } from "./describe-file.ts";
import { Thumbnail } from "./thumbnail.tsx";

type Props = { kind: FileKind; onChoose: (file: StoredFile) => void };

/** Milliseconds without typing before a search. */
const PAUSE = 250;

/** The files of a kind, newest first, and a search of them. */
export function Chooser({ kind, onChoose }: Props) {
  const [q, setQ] = useState("");
  const { files, next, state, readMore, retry } = useFiles(kind, q);
  return (
    // Events here are not changes of the form around the dialog.
    <div
      role="presentation"
      className="grid gap-5"
      onInput={(event) => event.stopPropagation()}
      onChange={(event) => event.stopPropagation()}
    >
      <TextField
        label="Search"
        type="search"
        data-first-focus
        maxLength={200}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {files.map((file) => (
          <li key={file.id} className="min-w-0">
            <button
              type="button"
              onClick={() => onChoose(file)}
              className="grid w-full gap-1.5 rounded-md border border-rule p-2 text-left text-sm hover:border-ink hover:bg-tint"
            >
              <Thumbnail file={file} sizes="14rem" className="aspect-[4/3] w-full" />
              <span className="line-clamp-2 font-medium wrap-anywhere">{file.name}</span>
              <span className="text-muted figures">{factsOf(file)}</span>
              {file.alt && <span className="line-clamp-2 text-muted">{file.alt}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div role="status" className="text-sm text-muted">
        {state === "loading" && <span>Loading…</span>}
        {state === "done" && files.length === 0 && (
          <span>{q.trim() ? "No files found." : "No files yet."}</span>
        )}
      </div>
      {state === "failed" && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-sm font-medium text-danger">
          The files couldn’t be loaded.
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {state === "done" && next && (
        <Button size="sm" className="justify-self-start" onClick={readMore}>
          Older files
        </Button>
      )}
    </div>
  );
}

type Found = { files: LibraryFile[]; next: string | null; state: "loading" | "done" | "failed" };

const LOADING: Found = { files: [], next: null, state: "loading" };

type Page = { q: string; before?: string };

/** The answer to the latest search; drops a slower answer to an earlier one. */
function useFiles(kind: FileKind, q: string) {
  const [found, setFound] = useState<Found>(LOADING);
  const [page, setPage] = useState<Page>({ q });
  if (page.q !== q) setPage({ q });
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const isMore = page.before !== undefined;
      setFound((former) => (isMore ? { ...former, state: "loading" } : LOADING));
      try {
        const { items, next } = await readJson(api.files.$get({ query: queryOf(kind, page) }));
        if (!isCurrent) return;
        setFound((former) => ({ files: isMore ? [...former.files, ...items] : items, next, state: "done" }));
      } catch (error) {
        console.error("files:", error);
        if (isCurrent) setFound((former) => ({ ...former, state: "failed" }));
      }
    };
    const timer = setTimeout(() => void read(), page.q && !page.before ? PAUSE : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [kind, page]);
  return {
    ...found,
    readMore: () => setPage({ q, before: found.next ?? undefined }),
    retry: () => setPage({ ...page }),
  };
}

const queryOf = (kind: FileKind, { q, before }: Page) => ({
  kind,
  ...(q.trim() && { q }),
  ...(before !== undefined && { before }),
});
