/**
 * The tracker: a file of its own, which a public page runs after all others (`document/inline/counting.ts`). It counts
 * without React, from the document and its events; other events are passed to it (`../notes.ts`).
 */
import type { COUNTED } from "#site/document/counting.ts";
import type { Content, Note, Remembered, SHARE, SHARES } from "../notes.ts";
import { eventsOf } from "./link-events.ts";
import { createListening } from "./listening.ts";
import { createOutbox } from "./outbox.ts";
import { createVisits } from "./visits.ts";

const counted: typeof COUNTED = "counted";
/** Attribute around the player's element with its episode. By default the page's content. */
const episode = "data-episode";
const shares: typeof SHARES = "data-shares";

type Visits = ReturnType<typeof createVisits>;

function start(remembered: Remembered[]) {
  const outbox = createOutbox();
  const visits = createVisits(outbox.add);
  const push = ({ content, ...reported }: Note) => visits.tell(reported, content);
  const press = watchPresses(visits);
  for (const each of remembered) {
    if ("view" in each) visits.take(each.view, nameOfPage(), contentOfPage());
    else if ("press" in each) press(each.press, each.content);
    else push(each);
  }
  window.analytics = { push };
  watchPages(visits);
  const showAudio = watchAudio(visits);
  addEventListener("scroll", visits.scroll);
  addEventListener("pagehide", () => {
    showAudio(false);
    visits.pause();
    outbox.flush();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    showAudio(true);
    visits.again();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      visits.pause();
      outbox.flush();
    } else visits.resume();
  });
}

/** The last match: an article opened over a list adds its own elements. */
const find = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)].pop();
/** The canonical link, set together with the rest of the page's head. Empty for an unlisted page. */
const nameOfPage = () => find<HTMLLinkElement>("link[rel=canonical]")?.href ?? "";
const contentOfPage = () => find<HTMLMetaElement>(`meta[name=${counted}]`)?.content as Content | undefined;

/** The router updates the head with the page. A skeleton may be shown while the next page loads. */
function watchPages({ show }: Visits) {
  const look = () => {
    if (!find("main[aria-busy=true]")) show(nameOfPage(), contentOfPage());
  };
  look();
  const all = { subtree: true, childList: true, attributes: true };
  new MutationObserver(look).observe(document.head, all);
}

/**
 * Watches every audio element: the player's, a page's own, and that of an early press. Returns the handler for leaving.
 */
function watchAudio({ tell, content }: Visits) {
  const listening = createListening((id, reported) => tell(reported, `episode ${id}`));
  const episodeOf = (audio: HTMLMediaElement) =>
    audio.closest(`[${episode}]`)?.getAttribute(episode) ?? content()?.match(/^episode (.+)/)?.[1];
  const move = (audio: HTMLMediaElement) => listening.moves(audio, episodeOf(audio));
  const steps = {
    playing: move,
    timeupdate: move,
    pause: listening.stops,
    emptied: listening.empties,
  };
  // Media events do not bubble.
  const watch = (target: EventTarget) => {
    for (const [name, step] of Object.entries(steps))
      target.addEventListener(name, (event) => step(event.target as HTMLMediaElement), true);
  };
  watch(document);
  // It is not in the document until the player loads.
  const missed = (audio: HTMLMediaElement) => listening.missed(audio, episodeOf(audio));
  const early = window.earlyPlay?.audio;
  if (early) {
    watch(early);
    missed(early);
  }
  document.querySelectorAll("audio").forEach(missed);
  return listening.show;
}

/** Watches links, and buttons that share or copy the page's address. Returns the press handler. */
function watchPresses({ tell }: Visits) {
  const press = ({ target, button }: MouseEvent, on?: Content) => {
    const control = (target as Element).closest<HTMLAnchorElement | HTMLButtonElement>("a[href], button");
    // The middle button opens a tab.
    if (!control || button > 1) return;
    const isShare = !!control.closest(`[${shares}]`);
    if ("href" in control)
      for (const reported of eventsOf(control, { origin: location.origin, isShare })) tell(reported, on);
    else if (isShare)
      tell({ type: "engagement", metadata: { action: (control.value as typeof SHARE) || "copy_link" } }, on);
  };
  for (const name of ["click", "auxclick"] as const) addEventListener(name, press, true);
  return press;
}

// A prerendered page counts from when it is shown; it has no earlier events.
if (document.prerendering) document.onprerenderingchange = () => start([]);
else start(window.analytics as unknown as Remembered[]);
