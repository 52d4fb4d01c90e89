import { ChevronDown } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { data, Form, useLocation } from "react-router";
import type { z } from "zod";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { SelectField } from "#site/ui/controls.tsx";
import { cx } from "#site/ui/cx.ts";
import { TextField } from "#site/ui/field.tsx";
import { Options } from "../form/fields.tsx";

/**
 * The query in a list's address; ignores empty filters. `noun`: "episodes".
 * @throws a 404 for an invalid query
 */
export function listQueryOf<S extends z.ZodObject>(params: URLSearchParams, schema: S, noun: string) {
  const known = [...params].filter(([name, value]) => name in schema.shape && value.trim() !== "");
  const query = schema.safeParse(Object.fromEntries(known));
  if (!query.success) throw data({ message: `There’s no such list of ${noun}.` }, { status: 404 });
  return query.data;
}

/** The reverse: the address of a list at a path. */
export function listAddress(path: string, query: Record<string, string | number | undefined>) {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const params = new URLSearchParams(asked);
  return `${path}${params.size > 0 ? `?${params}` : ""}`;
}

/**
 * A key that recreates the form for another search, so that its fields show it; not for its own search, since the
 * fields may have changed since.
 */
function useFormKey(filters: FiltersProps["filters"]) {
  const { key: at } = useLocation();
  const search = JSON.stringify(filters);
  const [sentFrom, setSentFrom] = useState<string>();
  const [shown, setShown] = useState({ search, at, key: 0 });
  if (at !== shown.at) {
    const isSame = search === shown.search || sentFrom === shown.at;
    setShown({ search, at, key: isSame ? shown.key : shown.key + 1 });
  }
  return { key: shown.key, sent: () => setSentFrom(at) };
}

type FiltersProps = {
  /** The address of the unfiltered list. */
  path: string;
  filters: { q?: string };
  /** Sent along with each search: the part of the list that is searched. */
  within?: Record<string, string>;
  /** `FilterSelect`s, if the list has any. */
  children?: ReactNode;
};

/** A GET form: the search is in the address. On a phone the filters are behind a button, unless one is chosen. */
export function ListFilters({ path, filters, within = {}, children }: FiltersProps) {
  const { key, sent } = useFormKey(filters);
  const id = useId();
  const { q: _, ...chosen } = filters;
  const [isOpen, setOpen] = useState(Object.keys(chosen).length > 0);
  return (
    <Form
      key={key}
      onSubmit={sent}
      role="search"
      className="mb-6 flex flex-wrap items-end gap-3 print:hidden"
    >
      {Object.entries(within).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextField
        label="Search"
        name="q"
        type="search"
        defaultValue={filters.q}
        maxLength={200}
        className="min-w-40 flex-1"
      />
      {children && (
        <div
          id={id}
          className={cx(
            "order-last grid w-full grid-cols-2 items-end gap-3 sm:order-none sm:contents",
            !isOpen && "max-sm:hidden",
          )}
        >
          {children}
        </div>
      )}
      <ButtonRow>
        <Button type="submit">Search</Button>
        {children && (
          <Button
            tone="bare"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="px-2 sm:hidden"
          >
            Filters
            <ChevronDown aria-hidden size={16} className={cx(isOpen && "rotate-180")} />
          </Button>
        )}
        {Object.keys(filters).length > 0 && (
          <ButtonLink to={path} tone="bare">
            Clear
          </ButtonLink>
        )}
      </ButtonRow>
    </Form>
  );
}

type SelectProps = {
  label: string;
  name: string;
  value: string | number | undefined;
  /** The selectable values with their labels. */
  options: [value: string | number, name: string][];
  className?: string;
};

export const FilterSelect = ({ label, name, value, options, className }: SelectProps) => (
  <SelectField
    label={label}
    name={name}
    defaultValue={value ?? ""}
    className={cx("min-w-0 sm:min-w-28", className)}
  >
    <option value="">All</option>
    <Options of={options} />
  </SelectField>
);

type PagesProps = {
  path: string;
  query: Record<string, string | number | undefined>;
  /** Of items on this page. */
  count: number;
  next: string | null;
  /** "episodes". */
  noun: string;
  order?: "newest-first" | "oldest-first";
};

/**
 * To the further items of a list, and back to its beginning. Announces the results of a search or another page to screen
 * readers.
 */
export function ListPages({ path, query, count, next, noun, order = "newest-first" }: PagesProps) {
  const { before, ...filters } = query;
  const isPaged = next !== null || before !== undefined;
  const [first, further] = order === "newest-first" ? ["Newest", "Older"] : ["First", "More"];
  return (
    <>
      <Shown
        address={listAddress(path, query)}
        words={shownInWords(count, noun, next === null ? null : further!)}
      />
      {isPaged && (
        <ButtonRow className="mt-6">
          {before !== undefined && (
            <ButtonLink to={listAddress(path, filters)}>{`${first} ${noun}`}</ButtonLink>
          )}
          {next && (
            <ButtonLink
              to={listAddress(path, { ...filters, before: next })}
            >{`${further} ${noun}`}</ButtonLink>
          )}
        </ButtonRow>
      )}
    </>
  );
}

const shownInWords = (count: number, noun: string, further: string | null) =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} shown: ${count}.${further === null ? "" : ` There are ${further === "More" ? "more" : "older ones"}.`}`;

type ShownProps = { address: string; words: string };

/**
 * A live region announces the results of each address; keyed, so that equal texts are announced again. Later changes of
 * the page are announced elsewhere: the text then moves out of the region, so that it is not announced again.
 */
function Shown({ address, words }: ShownProps) {
  const [shown, setShown] = useState({ address, words, isAnnounced: true });
  const isMoved = shown.address !== address;
  if (isMoved || shown.words !== words) setShown({ address, words, isAnnounced: isMoved });
  return (
    <>
      <p role="status" className="sr-only">
        {shown.isAnnounced && <span key={address}>{words}</span>}
      </p>
      {!shown.isAnnounced && <p className="sr-only">{words}</p>}
    </>
  );
}
