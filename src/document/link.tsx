import { Link as RouterLink, useLocation, type LinkProps } from "react-router";

/** A link within the site. Prefetches its page on hover, focus or touch. */
export const Link = ({ prefetch = "intent", ...props }: LinkProps) =>
  import.meta.env.SSR && isPlain(props) ? (
    <PlainLink {...props} />
  ) : (
    <RouterLink prefetch={prefetch} {...props} />
  );

type NavLinkProps = Omit<LinkProps, "to" | "className"> & {
  /** A plain path, in lower case. */
  to: string;
  /** Matches this page only, not the pages below it. */
  end?: boolean;
  className?: string | ((state: { isActive: boolean }) => string);
};

/** A link that marks the current page, or the section of the current page. */
export function NavLink({ end = false, className, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const isActive = isWithin(pathname, props.to, end);
  return (
    <Link
      aria-current={isActive ? "page" : undefined}
      className={typeof className === "function" ? className({ isActive }) : className}
      {...props}
    />
  );
}

/** Whether a path is a page, or below it unless `end`. The router ignores case. */
export function isWithin(pathname: string, to: string, end = false) {
  const path = pathname.toLowerCase();
  return path === to || (!end && path.startsWith(`${to}/`));
}

type PlainProps = Omit<LinkProps, "to" | "prefetch"> & { to: string };

/** Renders the markup of the router's link without its contexts, which only a browser needs: saves a quarter of a page's render. */
const PlainLink = ({
  to,
  children,
  state: _state,
  replace: _replace,
  preventScrollReset: _reset,
  ...attributes
}: PlainProps) => (
  <a {...attributes} href={to} data-discover="true">
    {children}
  </a>
);

/** An address that the router renders unchanged; the site is at the root of its host. */
const PLAIN_ADDRESS = /^\/(?:[\w-]+(?:\/[\w-]+)*)?(?:\?[^#]+)?(?:#.+)?$/;
/** Props that change the address or the attributes, or that an `<a>` does not have. */
const LEFT_TO_ROUTER = [
  "mask",
  "relative",
  "reloadDocument",
  "discover",
  "viewTransition",
  "defaultShouldRevalidate",
];

const isPlain = (props: Omit<LinkProps, "prefetch">): props is PlainProps =>
  typeof props.to === "string" &&
  PLAIN_ADDRESS.test(props.to) &&
  !LEFT_TO_ROUTER.some((name) => name in props);
