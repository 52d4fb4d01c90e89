import { useEffect, useRef, useState, type RefObject } from "react";
import { ApiError, api, ensureOk, readJson } from "#site/api.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { MOVED_ARTICLES, placeNames } from "#worker/imports/importers/contract.ts";
import { sendUntilAnswered } from "../retry.ts";
import { bringCategories } from "../bring-categories.ts";
import type { Source } from "./export.ts";
import type { Choice, Plan } from "./choice.ts";
import type { Unsent } from "./send.ts";

export type State =
  /** `site` is an address that could not be read. */
  | { is: "choosing"; error: string | null; site?: { address: string; error: string } }
  | { is: "reading"; part: number }
  /** Of a site that is read by its address, how many posts have come. */
  | { is: "fetching"; posts: number }
  | { is: "planned"; source: Source; plan: Plan; error: string | null }
  | { is: "sending"; part: number; waiting: string | null }
  | { is: "sent"; id: number; unsent: Unsent[] };

const opener = lazyImport(() => import("./open.ts"));
const siteReader = lazyImport(() => import("./read-site.ts"));
const planner = lazyImport(() => Promise.all([import("./plan.ts"), import("./parse.ts")]));
const sender = lazyImport(() => Promise.all([import("./send.ts"), import("./parse.ts")]));

/** Of what is told as a part of the whole, changes that nobody sees are not told. */
const isSeen = (before: number, now: number) => Math.floor(now * 100) !== Math.floor(before * 100);

type Categories = { id: number; name: string }[];

/** An export of another place, from its choice to the items that were sent. */
export function useElsewhere(categories: Categories) {
  const [state, setState] = useState<State>({ is: "choosing", error: null });
  const control = useRef<AbortController>(null);
  const open = useRef<Source>(null);
  useEffect(() => () => forget(control, open), []);

  type Choosing = Omit<Extract<State, { is: "choosing" }>, "is">;
  const read = async (
    bring: (signal: AbortSignal) => Promise<File[]>,
    choosing: (error: string) => Choosing,
  ) => {
    forget(control, open);
    const { signal } = (control.current = new AbortController());
    setState({ is: "reading", part: 0 });
    try {
      const files = await bring(signal);
      if (signal.aborted) return;
      setState({ is: "reading", part: 0 });
      const [{ openExport }, [{ planOf }, { parse }]] = await Promise.all([opener(), planner()]);
      const source = (open.current = await openExport(files));
      const plan = await planOf(
        source,
        (json) =>
          sendUntilAnswered(() => readJson(api.imports.elsewhere.known.$post({ json })), {
            signal,
            onWaiting: () => {},
          }),
        parse,
        (part) =>
          setState((now) => (now.is === "reading" && isSeen(now.part, part) ? { is: "reading", part } : now)),
        categories,
      );
      if (!signal.aborted) setState({ is: "planned", source, plan, error: null });
    } catch (error) {
      if (!signal.aborted) setState({ is: "choosing", ...choosing(wordsOf(error)) });
    }
  };

  const choose = (files: File[]) =>
    read(
      () => Promise.resolve(files),
      (error) => ({ error }),
    );

  /** Reads a site that has no export, by its address. */
  const chooseSite = (address: string) =>
    read(
      async (signal) => {
        const { filesOfSite } = await siteReader();
        const fetchDocument = async (url: string) => {
          const { text } = await sendUntilAnswered(
            () => readJson(api.imports.elsewhere.document.$post({ json: { url } })),
            { signal, onWaiting: () => {} },
          );
          return text;
        };
        return filesOfSite(address, fetchDocument, (posts) => {
          if (!signal.aborted) setState({ is: "fetching", posts });
        });
      },
      (error) => ({ error: null, site: { address, error } }),
    );

  const start = async (source: Source, plan: Plan, choice: Choice, siteUrl: string | null) => {
    const { signal } = (control.current = new AbortController());
    setState({ is: "sending", part: 0, waiting: null });
    const onWaiting = (waiting: string | null) =>
      setState((now) => (now.is === "sending" ? { ...now, waiting } : now));
    const until = <T>(send: () => Promise<T>) => sendUntilAnswered(send, { signal, onWaiting });
    let id: number | null = null;
    try {
      const [{ sendChosen }, { parse }] = await sender();
      const json = {
        kind: MOVED_ARTICLES,
        source: `${placeNames[source.place]}: ${source.fileName}`.slice(0, 2000),
      };
      const all = await bringCategories(source.categories ?? [], categories, until);
      const created = await until(() => readJson(api.imports.$post({ json })));
      id = created.id;
      const param = { id: String(id) };
      const unsent = await sendChosen(source, plan, {
        choice,
        siteUrl,
        parse,
        categories: all,
        signal,
        send: (items) => until(() => readJson(api.imports[":id"].items.$post({ param, json: { items } }))),
        onProgress: (part) =>
          setState((now) => (now.is === "sending" && isSeen(now.part, part) ? { ...now, part } : now)),
      });
      signal.throwIfAborted();
      await until(() => startOnce(param));
      setState({ is: "sent", id, unsent });
    } catch (error) {
      if (id !== null)
        void ensureOk(api.imports[":id"].$delete({ param: { id: String(id) } })).catch(console.error);
      setState({
        is: "planned",
        source,
        plan,
        error: signal.aborted ? "Cancelled. Nothing was imported." : wordsOf(error),
      });
    }
  };

  const clear = () => {
    forget(control, open);
    setState({ is: "choosing", error: null });
  };
  return { state, choose, chooseSite, start, cancel: () => control.current?.abort(), clear };
}

/** Ends what is under way, and closes the export. */
function forget(control: RefObject<AbortController | null>, open: RefObject<Source | null>) {
  control.current?.abort();
  void open.current?.close();
  open.current = null;
}

/** Begins it; that it runs already says that an answer was lost. */
async function startOnce(param: { id: string }) {
  try {
    await ensureOk(api.imports[":id"].start.$post({ param, query: {} }));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { state } = await readJson(api.imports[":id"].$get({ param }));
    if (state === "open") throw error;
  }
}

function wordsOf(error: unknown) {
  console.error(error);
  return error instanceof Error ? error.message : "The file couldn’t be read.";
}
