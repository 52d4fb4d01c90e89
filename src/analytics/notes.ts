import type { AnalyticsEvent, ContentType } from "#worker/analytics/contract.ts";

/** The content of an event: "article 12", "page /about". */
export type Content = `${ContentType} ${string}`;

/** Attribute of a group of controls that share the page: links, and buttons that share or copy its address. */
export const SHARES = "data-shares";

/** Value of the button in it that opens the browser’s share sheet, which counts as this action. Other buttons copy. */
export const SHARE = "share";

type Common = "timestamp" | "isUnique" | "url" | "title" | "path";
type MetadataOf<Type> = Omit<Extract<AnalyticsEvent, { eventType: Type }>["metadata"], Common>;

/** An event's type and its own metadata. */
export type ReportedEvent = {
  [Type in AnalyticsEvent["eventType"]]: { type: Type; metadata: MetadataOf<Type> };
}[AnalyticsEvent["eventType"]];

/** An action on the page or on a content. */
export type Note = ReportedEvent & { content?: Content };

/** Entries buffered until the tracker loads: `document/inline/counting.ts`. */
export type Remembered = { view: AnalyticsEvent } | { press: MouseEvent; content?: Content } | Note;

declare global {
  interface Document {
    /** Whether the browser prerenders the page. */
    prerendering?: boolean;
    onprerenderingchange?: (() => void) | null;
  }
  interface Window {
    /** An array until the tracker loads and takes over its entries. Absent if the visit is not counted. */
    analytics?: { push: (note: Note) => unknown };
  }
}

/** Passes a note to the tracker, now or once it has loaded. */
export const note = (each: Note) => void window.analytics?.push(each);
