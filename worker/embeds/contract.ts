import { z } from "zod";

/** Pixels; an invalid number means no bound. */
const bound = z.coerce.number().int().positive().max(10_000).optional().catch(undefined);

/** oembed.com, section 2.2. */
export const OembedQuery = z.object({
  url: z.string("This is required.").max(2000),
  maxwidth: bound,
  maxheight: bound,
});
export type OembedQuery = z.input<typeof OembedQuery>;

/** oembed.com, section 2.3: how another site embeds an address of this site. */
export type Oembed = {
  version: "1.0";
  type: "rich";
  title: string;
  author_name?: string;
  provider_name: string;
  provider_url: string;
  /** Seconds. */
  cache_age: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
  html: string;
  width: number;
  height: number;
};
