import type { Site } from "#worker/settings/contract.ts";

type NavItem = {
  to: string;
  label: string;
  /** The one call to action. */
  highlighted?: boolean;
};

/** The header, in its order. */
export const navigation: NavItem[] = [
  { to: "/", label: "Home" },
  { to: "/podcast", label: "Podcast" },
];

type Outlet = { label: string; href: string };

const outlets = <Key extends string>(
  names: Record<Key, string>,
  links: Partial<Record<Key, string>>,
): Outlet[] =>
  (Object.keys(names) as Key[]).flatMap((key) => {
    const href = links[key];
    return href ? [{ label: names[key], href }] : [];
  });

/** Where else the podcast is listed; what has no link is not shown. */
export const platformLinks = ({ platforms }: Site) =>
  outlets(
    {
      youtube: "YouTube",
      apple: "Apple Podcasts",
      spotify: "Spotify",
      google: "Google Podcasts",
      amazon: "Amazon Music",
    },
    platforms,
  );

export const socialLinks = ({ social }: Site) =>
  outlets({ x: "X", youtube: "YouTube", linkedin: "LinkedIn", instagram: "Instagram" }, social);
