import { useLayoutData } from "../use-layout.ts";

export type Variant = "newsletter" | "youtube" | "podcast" | "all";

/** The variant's ways to follow that the site has. */
export function useOffers(variant: Variant) {
  const data = useLayoutData();
  const wants = (one: Variant) => variant === one || variant === "all";
  return {
    newsletter: wants("newsletter") && Boolean(data?.newsletter),
    youtube: wants("youtube") ? data?.site.social.youtube : undefined,
    podcast: wants("podcast"),
  };
}
