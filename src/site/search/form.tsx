import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import type { SearchKind } from "#worker/discovery/contract.ts";

type SearchFormProps = { query: string; kind?: SearchKind; className?: string };

/** A GET form: the query is in the address. */
export function SearchForm({ query, kind, className }: SearchFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(query);
  useEffect(() => {
    // Keeps what was typed before hydration, or is being typed.
    const isTyping = input.current === document.activeElement;
    if (input.current && query !== shown.current && !isTyping) input.current.value = query;
    shown.current = query;
  }, [query]);
  return (
    <Form action="/search" role="search" className={cx("flex items-end gap-4", className)}>
      <label htmlFor="q" className="sr-only">
        Search for
      </label>
      <input
        ref={input}
        id="q"
        name="q"
        type="search"
        defaultValue={query}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The page has nothing else to do.
        autoFocus={query === ""}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        placeholder="A word, a name, a subject"
        className={
          "headline h-14 w-full min-w-0 border-b-2 border-edge bg-transparent text-xl text-ink transition-colors " +
          "placeholder:text-muted hover:border-ink"
        }
      />
      {kind && <input type="hidden" name="kind" value={kind} />}
      <Button type="submit" tone="primary" size="lg">
        Search
      </Button>
    </Form>
  );
}
