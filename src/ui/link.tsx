import { Link as RouterLink, useLocation, type LinkProps } from "react-router";

/** A link within the site: what it leads to is fetched at the first sign that somebody is about to follow it. */
export const Link = ({ prefetch = "intent", ...props }: LinkProps) =>
  import.meta.env.SSR && isPlain(props) ? (
    <WrittenLink {...props} />
  ) : (
    <RouterLink prefetch={prefetch} {...props} />
  );

type NavLinkProps = Omit<LinkProps, "to" | "className"> & {
  /** A plain path, in lower case. */
  to: string;
  /** Where another page's address may begin with this one's, and is not meant. */
  end?: boolean;
  className?: string | ((state: { isActive: boolean }) => string);
};

/** The same, which knows whether its page, or one below it, is the current one. */
export function NavLink({ end = false, className, ...props }: NavLinkProps) {
  const { pathname } = useLocation();
  const isActive = isWithin(pathname.toLowerCase(), props.to, end);
  return (
    <Link
      aria-current={isActive ? "page" : undefined}
      className={typeof className === "function" ? className({ isActive }) : className}
      {...props}
    />
  );
}

const isWithin = (pathname: string, to: string, end: boolean) =>
  pathname === to || (!end && pathname.startsWith(`${to}/`));

type PlainProps = Omit<LinkProps, "to" | "prefetch"> & { to: string };

/** What the router's link writes, without asking its contexts for what only a browser does: a quarter of a page's render. */
const WrittenLink = ({
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

/** An address as the router would write it itself; the site stands at the root of its host. */
const PLAIN_ADDRESS = /^\/(?:[\w-]+(?:\/[\w-]+)*)?(?:\?[^#]+)?(?:#.+)?$/;
/** What changes the address or the attributes, or is nothing that an `<a>` knows. */
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
