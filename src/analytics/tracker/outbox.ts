import type { AnalyticsEvent, MAX_EVENTS } from "#worker/analytics/contract.ts";

const PATH = "/api/analytics/events";
/** Of one request. */
const EVENTS: typeof MAX_EVENTS = 40;
const BYTES = 32 * 1024;
/** Events that wait for a connection; the oldest go first. */
const WAITING = 200;
/** Milliseconds that an event waits for others. */
const DELAY = 5000;

/** The bodies of the requests that bring these events, in their order. */
export function bodiesOf(events: AnalyticsEvent[]) {
  const bodies: string[] = [];
  let batch: string[] = [];
  const bodyOf = (texts: string[]) => `{"events":[${texts.join()}]}`;
  const close = () => {
    if (batch.length) bodies.push(bodyOf(batch));
    batch = [];
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const { size } = new Blob([bodyOf([...batch, text])]);
    if (batch.length === EVENTS || size > BYTES) close();
    batch.push(text);
  }
  close();
  return bodies;
}

/** Sends even while the page is left; what fails is not said, and not tried again. */
function send(text: string) {
  const body = new Blob([text], { type: "application/json" });
  try {
    if (navigator.sendBeacon(PATH, body)) return;
  } catch {
    // Some browsers throw in place of an answer.
  }
  fetch(PATH, { method: "POST", body, keepalive: true }).catch(() => {});
}

/** Gathers events for a moment. */
export function createOutbox() {
  let waiting: AnalyticsEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // A request that cannot leave stands in the console.
    if (!navigator.onLine) return;
    bodiesOf(waiting).forEach(send);
    waiting = [];
  };
  addEventListener("online", flush);
  const add = (event: AnalyticsEvent) => {
    waiting = [...waiting, event].slice(-WAITING);
    // Nobody may be there in a moment.
    if (document.hidden) flush();
    else timer ??= setTimeout(flush, DELAY);
  };
  return { add, flush };
}
