import { isOpen, pages, type PagePath } from "#worker/addresses.ts";
import type { Chrome } from "./chrome.ts";
import type { Site } from "#worker/settings/contract.ts";

type NavItem = {
  to: PagePath;
  /** The call to action. */
  highlighted?: boolean;
};

/** The header's links, in order. */
const navigation: NavItem[] = [
  { to: "/" },
  { to: "/about" },
  { to: "/mission" },
  { to: "/podcast" },
  { to: "/conversations" },
  { to: "/petitions" },
  { to: "/media" },
  { to: "/contact" },
  { to: "/guest", highlighted: true },
];

export const navigationOf = ({ switches }: Pick<Chrome, "switches">) =>
  navigation
    .filter(({ to }) => isOpen(to, switches))
    .map((item) => ({ ...item, label: pages[item.to].label }));

type Outlet = { label: string; href: string };

const outlets = <Key extends string>(
  names: Record<Key, string>,
  links: Partial<Record<Key, string>>,
): Outlet[] =>
  (Object.keys(names) as Key[]).flatMap((key) => {
    const href = links[key];
    return href ? [{ label: names[key], href }] : [];
  });

export const socialLinks = ({ social }: Pick<Site, "social">) =>
  outlets({ x: "X", youtube: "YouTube", linkedin: "LinkedIn", instagram: "Instagram" }, social);
