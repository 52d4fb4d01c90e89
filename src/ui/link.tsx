import {
  Link as RouterLink,
  NavLink as RouterNavLink,
  type LinkProps,
  type NavLinkProps,
} from "react-router";

/** A link within the site: what it leads to is fetched at the first sign that somebody is about to follow it. */
export const Link = (props: LinkProps) => <RouterLink prefetch="intent" {...props} />;

/** The same, which knows whether its page is the current one. */
export const NavLink = (props: NavLinkProps) => <RouterNavLink prefetch="intent" {...props} />;
