import type { PageSlug } from "#worker/pages/contract.ts";

export const pageNames: Record<PageSlug, string> = {
  home: "Home",
  about: "About",
  mission: "Mission",
  "three-es": "The 3 Es",
  "media-kit": "Media Kit",
  speaking: "Speaking",
  booking: "Book to Speak",
  guest: "Be a Guest",
  contact: "Contact",
  "privacy-policy": "Privacy Policy",
  "terms-of-service": "Terms of Service",
};

export const LIST = "/admin/articles/pages";
export const editPath = (slug: PageSlug) => `${LIST}/${slug}`;
export const versionsPath = (slug: PageSlug) => `${editPath(slug)}/versions`;

/** Of an address; the loader answers 404 to a page that there is not. */
export const pageSlugOf = ({ slug }: { slug: string }) => slug as PageSlug;
