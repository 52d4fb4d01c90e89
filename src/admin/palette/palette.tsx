import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { cx } from "#site/ui/cx.ts";
import { Dialog } from "#site/ui/dialog.tsx";
import { controlClass } from "#site/ui/field.tsx";
import { counted } from "#site/ui/format.ts";
import type { OwnerHit } from "#worker/discovery/contract.ts";
import type { TabPath } from "../shell/tabs.ts";
import { actions, pathOf, places, type Place } from "./places.ts";
import { hasWords, useResults } from "./results.ts";

type Props = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  openTabs: TabPath[];
  /** An item was chosen, and its page is loading. */
  onChoice: () => void;
};

/** A dialog that finds items by title, and the pages and actions of the admin area. */
export default function Palette({ isOpen, onOpenChange, ...rest }: Props) {
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange} title="Search" wide>
      <Finder {...rest} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

type FinderProps = Omit<Props, "isOpen" | "onOpenChange"> & { onDone: () => void };

/** Mounted with the dialog, so that each search begins empty. */
function Finder({ openTabs, onChoice, onDone }: FinderProps) {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const query = typed.trim();
  const { hits, error, query: answered } = useResults(query);
  const groups = groupsOf({ query, openTabs, hits, isAnswered: answered === query });
  const items = groups.flatMap((group) => group.items);
  const choose = ({ to }: Item) => {
    onChoice();
    onDone();
    void navigate(to);
  };
  const { list, active, activate, onKeyDown } = useListbox(items, choose);
  const id = useId();
  const idOf = ({ value }: Item) => `${id}-${value}`;
  return (
    <div className="grid gap-3">
      {/* The pattern: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */}
      <input
        data-first-focus
        type="text"
        role="combobox"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-activedescendant={active && idOf(active)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder="An article, an episode, a setting…"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className={cx(controlClass, "h-11")}
      />
      <p role="status" className={error ? "text-sm font-medium text-danger" : "sr-only"}>
        {error ?? (answered === query ? counted(items.length, "result") : "")}
      </p>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Results"
        className="-mx-3 h-[min(26rem,55dvh)] scroll-py-2 overflow-y-auto overscroll-contain"
      >
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title} className="pb-2">
            <p aria-hidden className="px-3 py-1.5 text-sm text-muted">
              {group.title}
            </p>
            {group.items.map((item) => (
              <div
                key={item.value}
                id={idOf(item)}
                role="option"
                tabIndex={-1}
                aria-selected={item === active}
                // The focus stays in the field.
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => activate(item)}
                onClick={() => choose(item)}
                onKeyDown={onKeyDown}
                className="flex min-h-11 cursor-default items-center border-l-2 border-transparent px-3 py-2 leading-snug wrap-anywhere aria-selected:border-accent aria-selected:bg-tint sm:min-h-9"
              >
                {item.label}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The active option: the one last chosen by key or pointer while it is listed, otherwise the first. */
function useListbox(items: Item[], choose: (item: Item) => void) {
  const list = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState("");
  const active = items.find(({ value }) => value === last) ?? items[0];
  const step = (by: 1 | -1) => {
    const at = active ? items.indexOf(active) : -1;
    const next = items.at((at + by) % items.length);
    if (next) setLast(next.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter" && active) choose(active);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (last !== "")
      list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [last]);
  return { list, active, activate: ({ value }: Item) => setLast(value), onKeyDown };
}

/** `value` is unique. */
type Item = { value: string; label: string; to: string };
type Group = { title: string; items: Item[] };
type Found = Pick<Props, "openTabs"> & { query: string; hits: OwnerHit[]; isAnswered: boolean };

/** What is listed, in its order. */
function groupsOf({ query, openTabs, hits, isAnswered }: Found): Group[] {
  const isListed = ({ tab, label, words = "" }: Place) =>
    (tab === undefined || openTabs.includes(tab)) && hasWords(`${label} ${words}`, query);
  const linksOf = (all: Place[]) =>
    all.filter(isListed).map(({ label, to }): Item => ({ value: to, label, to }));
  const hitsOf = (wanted: OwnerHit["kind"]) =>
    hits
      // Those of fewer letters are listed until the server has answered.
      .filter(({ kind, title }) => kind === wanted && (isAnswered || hasWords(title, query)))
      .map(({ id, title }): Item => ({ value: `${wanted}-${id}`, label: title, to: pathOf[wanted](id) }));
  const groups: Group[] =
    query === ""
      ? [
          { title: "Actions", items: linksOf(actions) },
          { title: "Newest articles", items: hitsOf("article") },
          { title: "Newest episodes", items: hitsOf("episode") },
          { title: "Go to", items: linksOf(places) },
        ]
      : [
          { title: "Actions", items: linksOf(actions) },
          { title: "Go to", items: linksOf(places) },
          ...kinds.map(([kind, title]) => ({ title, items: hitsOf(kind) })),
          { title: "Texts", items: isAnswered ? [textSearch(query)] : [] },
        ];
  return groups.filter(({ items }) => items.length > 0);
}

const kinds: [kind: OwnerHit["kind"], title: string][] = [
  ["article", "Articles"],
  ["episode", "Episodes"],
  ["press", "Media"],
  ["campaign", "Campaigns"],
  ["venture", "Ventures"],
  ["engagement", "Engagements"],
  ["category", "Categories"],
  ["letter", "Letters"],
  ["user", "Users"],
];

const textSearch = (query: string): Item => ({
  value: "texts",
  label: `Search the text of all articles for “${query}”`,
  to: `/admin/articles?${new URLSearchParams({ q: query })}`,
});
