import { v5 } from "uuid";

/** Podcasting 2.0, `podcast:guid`. */
const NAMESPACE = "ead4c236-bf58-58c6-a2c6-a6b28d128cb6";

/** The `podcast:guid` of a feed's address: a UUIDv5 over it without scheme and trailing slashes. */
export function podcastGuid(feedUrl: string) {
  return v5(feedUrl.replace(/^[a-z][a-z\d+.-]*:\/\//i, "").replace(/\/+$/, ""), NAMESPACE);
}
