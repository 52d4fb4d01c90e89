/**
 * The tracker: a file of its own, which a public page runs after all others (`document/inline/counting.ts`). It counts
 * without React, from the document and its events; only what the document does not show is told to it (`../notes.ts`).
 */
import type { COUNTED } from "#site/document/counting.ts";
import type { Content, Note, Remembered, SHARE, SHARES } from "../notes.ts";
import { eventsOf } from "./links.ts";
import { createListening } from "./listening.ts";
import { createOutbox } from "./outbox.ts";
import { createVisits } from "./visits.ts";

const counted: typeof COUNTED = "counted";
/** Around the player's element: its episode. Without it, it is the one that the page is counted as. */
const episode = "data-episode";
const shares: typeof SHARES = "data-shares";

type Visits = ReturnType<typeof createVisits>;

function start(remembered: Remembered[]) {
  const outbox = createOutbox();
  const visits = createVisits(outbox.add);
  const push = ({ content, ...told }: Note) => visits.tell(told, content);
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

/** The last one: an article that is open over a list adds its own. */
const find = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)].pop();
/** Set in one step with all else that a page has in its head. Empty for one that is not to be found. */
const nameOfPage = () => find<HTMLLinkElement>("link[rel=canonical]")?.href ?? "";
const contentOfPage = () => find<HTMLMetaElement>(`meta[name=${counted}]`)?.content as Content | undefined;

/** The router changes the head with the page. While it loads the next one, a skeleton may be in the page's place. */
function watchPages({ show }: Visits) {
  const look = () => {
    if (!find("main[aria-busy=true]")) show(nameOfPage(), contentOfPage());
  };
  look();
  const all = { subtree: true, childList: true, attributes: true };
  new MutationObserver(look).observe(document.head, all);
}

/** Watches every audio element: the player's, a page's own, and the one of an early press. Returns what leaving does. */
function watchAudio({ tell, content }: Visits) {
  const listening = createListening((id, told) => tell(told, `episode ${id}`));
  const episodeOf = (audio: HTMLMediaElement) =>
    audio.closest(`[${episode}]`)?.getAttribute(episode) ?? content()?.match(/^episode (.+)/)?.[1];
  const move = (audio: HTMLMediaElement) => listening.moves(audio, episodeOf(audio));
  const steps = {
    playing: move,
    timeupdate: move,
    pause: listening.stops,
    emptied: listening.empties,
  };
  // Events of media do not bubble.
  const watch = (target: EventTarget) => {
    for (const [name, step] of Object.entries(steps))
      target.addEventListener(name, (event) => step(event.target as HTMLMediaElement), true);
  };
  watch(document);
  // It is in no document until the player is there.
  const missed = (audio: HTMLMediaElement) => listening.missed(audio, episodeOf(audio));
  const early = window.earlyPlay?.audio;
  if (early) {
    watch(early);
    missed(early);
  }
  document.querySelectorAll("audio").forEach(missed);
  return listening.show;
}

/** Watches links, and buttons that share or copy the page's address. Returns what a press does. */
function watchPresses({ tell }: Visits) {
  const press = ({ target, button }: MouseEvent, on?: Content) => {
    const control = (target as Element).closest<HTMLAnchorElement | HTMLButtonElement>("a[href], button");
    // The middle button opens a tab.
    if (!control || button > 1) return;
    const isShare = !!control.closest(`[${shares}]`);
    if ("href" in control)
      for (const told of eventsOf(control, { origin: location.origin, isShare })) tell(told, on);
    else if (isShare)
      tell({ type: "engagement", metadata: { action: (control.value as typeof SHARE) || "copy_link" } }, on);
  };
  for (const name of ["click", "auxclick"] as const) addEventListener(name, press, true);
  return press;
}

// A page that the browser renders ahead is viewed from when it is shown; nothing was done on it before.
if (document.prerendering) document.onprerenderingchange = () => start([]);
else start(window.analytics as unknown as Remembered[]);
