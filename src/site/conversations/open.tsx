import { useLocation, type LinkProps } from "react-router";
import { Link } from "#site/document/link.tsx";

type OpenState = { article: string };

const isOpenState = (state: unknown): state is OpenState =>
  typeof state === "object" && state !== null && typeof (state as OpenState).article === "string";

/** Slug of the open article, from the history entry's state; null for none. */
export function useOpenArticle() {
  const { state } = useLocation() as { state: unknown };
  return isOpenState(state) ? state.article : null;
}

type OpenProps = Omit<LinkProps, "to"> & { slug: string };

/**
 * A link that opens an article over the list: a history entry of the list that shows the article's address. Without
 * scripts, and in a new tab, it opens that address.
 */
export function OpenArticle({ slug, ...rest }: OpenProps) {
  const { pathname, search } = useLocation();
  return (
    <Link
      to={pathname + search}
      mask={`/essays/${slug}`}
      state={{ article: slug } satisfies OpenState}
      prefetch="none"
      replace={false}
      preventScrollReset
      {...rest}
    />
  );
}
