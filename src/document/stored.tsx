import { createContext, use, type ComponentType } from "react";

/** A part whose HTML depends only on these properties, which are plain data; not on a context, the path or `useId`. */
export type Part<Given extends object = object> = {
  name: string;
  Content: ComponentType<Given>;
  given: Given;
};

/** Finds the HTML of a part; undefined in a browser. */
export const StoredContext = /* @__PURE__ */ createContext<((part: Part) => string | undefined) | undefined>(
  undefined,
);

type StoredProps<Given extends object> = Part<Given> & { as: "header" | "div"; className: string };

/**
 * An element whose content many pages have in common: the server renders it once (`stored.server.tsx`). In a browser an
 * ordinary element.
 */
export function Stored<Given extends object>({ as: Element, className, ...part }: StoredProps<Given>) {
  const html = import.meta.env.SSR ? use(StoredContext)?.(part as unknown as Part) : undefined;
  if (html !== undefined) return <Element className={className} dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    <Element className={className}>
      <part.Content {...part.given} />
    </Element>
  );
}
