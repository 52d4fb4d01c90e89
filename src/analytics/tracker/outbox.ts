import type { AnalyticsEvent, MAX_EVENTS } from "#worker/analytics/contract.ts";

const PATH = "/api/analytics/events";
/** Maximum events per request. */
const EVENTS: typeof MAX_EVENTS = 40;
const BYTES = 32 * 1024;
/** Maximum events that wait for a connection; the oldest are dropped. */
const WAITING = 200;
/** Milliseconds that an event waits for others. */
const DELAY = 5000;

/** The request bodies for these events, in order. */
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

/** Sends, also while the page unloads; failures are ignored and not retried. */
function send(text: string) {
  const body = new Blob([text], { type: "application/json" });
  try {
    if (navigator.sendBeacon(PATH, body)) return;
  } catch {
    // Some browsers throw instead of returning false.
  }
  fetch(PATH, { method: "POST", body, keepalive: true }).catch(() => {});
}

/** Batches events for a moment. */
export function createOutbox() {
  let waiting: AnalyticsEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    // Offline, a failed request would log an error in the console.
    if (!navigator.onLine) return;
    bodiesOf(waiting).forEach(send);
    waiting = [];
  };
  addEventListener("online", flush);
  const add = (event: AnalyticsEvent) => {
    waiting = [...waiting, event].slice(-WAITING);
    // A hidden page may be closed before the delay ends.
    if (document.hidden) flush();
    else timer ??= setTimeout(flush, DELAY);
  };
  return { add, flush };
}
