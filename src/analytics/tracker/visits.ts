import type { AnalyticsEvent } from "#worker/analytics/contract.ts";
import type { Content, ReportedEvent } from "../notes.ts";
import { createReading, depthOf } from "./reading.ts";
import { openSession } from "./session.ts";

/** Characters; the API takes more of an address. */
const MAX_TITLE = 300;
const MAX_ADDRESS = 500;

/** A page as it was when shown: its last event is sent after the next page is shown. */
type About = { url: string; title: string; path: string };

type Visit = {
  /** Undefined for a page that is not counted. */
  content: Content | undefined;
  about: About & { isUnique: boolean };
  reading: ReturnType<typeof createReading>;
};

/** Without query and fragment, which may contain a search. */
function aboutPage(): About {
  const path = location.pathname.slice(0, MAX_ADDRESS);
  return { url: location.origin + path, title: document.title.slice(0, MAX_TITLE), path };
}

/** Counts the pages shown one after another: views, reading time and actions. */
export function createVisits(send: (event: AnalyticsEvent) => void) {
  const session = openSession();
  let visit: Visit | undefined;
  /** The name of the current page. */
  let shown: string | undefined;
  /** The referrer of the next view. */
  let { referrer } = document;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell({ type, metadata }: ReportedEvent, content = visit?.content, timestamp = Date.now()) {
    if (!content) return;
    const [contentType, contentId] = content.split(" ");
    const all = { timestamp, ...visit?.about, ...metadata };
    // For the owner's tags, without the session id.
    window.dataLayer?.push({ event: type, content, ...all });
    send({
      eventType: type,
      contentType,
      contentId,
      userId: null,
      sessionId: session.id,
      metadata: all,
    } as AnalyticsEvent);
  }

  /** Reports time milestones when they are reached. */
  function watchTime() {
    clearTimeout(timer);
    for (const seconds of visit?.reading.takeTimes() ?? [])
      tell({ type: "time_on_page", metadata: { seconds } });
    const wait = visit?.reading.untilTime();
    if (wait !== undefined && !document.hidden) timer = setTimeout(watchTime, wait);
  }

  function pause() {
    if (!visit) return;
    visit.reading.stop();
    watchTime();
    clearTimeout(timer);
    const { depth: scrollDepth } = visit.reading;
    for (const readingTime of visit.reading.takeSeconds())
      tell({ type: "reading_time", metadata: { readingTime, scrollDepth } });
  }

  function resume() {
    visit?.reading.start();
    watchTime();
  }

  /** `since`: milliseconds UTC. */
  function begin(content: Content | undefined, about = aboutPage(), since = Date.now()) {
    pause();
    const isUnique = !!content && session.isNew(content);
    visit = { content, about: { ...about, isUnique }, reading: createReading(() => performance.now()) };
    const metadata = { referrer: referrer.slice(0, MAX_ADDRESS) };
    tell({ type: "page_view", metadata }, content, since);
    referrer = about.url;
    if (document.hidden) return;
    visit.reading.start(performance.now() - (Date.now() - since));
    watchTime();
  }

  return {
    tell,
    pause,
    resume,
    /**
     * Continues a view counted before the tracker loaded, if its content is still shown. The address alone is not
     * enough: it changes to an article's before the article is shown.
     */
    take({ contentType, contentId, metadata }: AnalyticsEvent, page: string, now: Content | undefined) {
      const content: Content = `${contentType} ${contentId}`;
      if (content === now) shown = page;
      const { url, title, path, timestamp } = metadata as AnalyticsEvent["metadata"] & About;
      begin(content, { url, title: title.slice(0, MAX_TITLE), path }, timestamp);
    },
    /** Idempotent: ignores the page that is already shown. */
    show(page: string, content: Content | undefined) {
      if (page === shown) return;
      shown = page;
      begin(content);
    },
    /** The same page is restored from the back/forward cache. */
    again: () => begin(visit?.content),
    content: () => visit?.content,
    scroll() {
      const { scrollHeight: height } = document.documentElement;
      const percent = depthOf({ top: scrollY, height, window: innerHeight });
      for (const scrollDepth of visit?.reading.takeDepths(percent) ?? [])
        tell({ type: "scroll_depth", metadata: { scrollDepth } });
    },
  };
}
