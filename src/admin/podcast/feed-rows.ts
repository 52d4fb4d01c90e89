import { rows } from "../form/read.ts";

/** Reads the fields of feed-fields.tsx. */

export const fundingRows = rows(["url", "text"], ["url", "text"]);

export const alternateRows = rows(["url", "title"], ["url"]);

export const discussionRows = rows(["protocol", "url", "account"], ["url", "account"]);

export const placeRows = rows(["name", "rel", "geo", "osm", "country"], ["name", "geo", "osm", "country"]);

export const podrollRows = rows(["title", "url", "guid"], ["title", "url", "guid"]);

export const txtRows = rows(["purpose", "text"], ["purpose", "text"]);
