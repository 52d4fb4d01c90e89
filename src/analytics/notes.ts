import type { AnalyticsEvent, ContentType } from "#worker/analytics/contract.ts";

/** What an event is about: "article 12", "page /about". */
export type Content = `${ContentType} ${string}`;

/** Attribute of a group of controls that share the page: links, and buttons that share or copy its address. */
export const SHARES = "data-shares";

/** Value of the button in it that opens the browser’s share sheet: the action it counts as. A button without one copies. */
export const SHARE = "share";

type Common = "timestamp" | "isUnique" | "url" | "title" | "path";
type MetadataOf<Type> = Omit<Extract<AnalyticsEvent, { eventType: Type }>["metadata"], Common>;

/** An event by its type and what it alone carries. */
export type Told = {
  [Type in AnalyticsEvent["eventType"]]: { type: Type; metadata: MetadataOf<Type> };
}[AnalyticsEvent["eventType"]];

/** Something that was done, on the page or to a content. */
export type Note = Told & { content?: Content };

/** What is remembered until the tracker is there: `document/inline/counting.ts`. */
export type Remembered = { view: AnalyticsEvent } | { press: MouseEvent; content?: Content } | Note;

declare global {
  interface Document {
    /** Whether the browser renders the page before anybody asks for it. */
    prerendering?: boolean;
    onprerenderingchange?: (() => void) | null;
  }
  interface Window {
    /** An array until the tracker is there, which takes what is in it. Absent where nobody is counted. */
    analytics?: { push: (note: Note) => unknown };
  }
}

/** Tells the tracker, now or once it is there. */
export const note = (each: Note) => void window.analytics?.push(each);
