import { useStore } from "jotai";
import { X } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { createPortal } from "react-dom";
import { useBlocker, useLocation, type BlockerFunction, type Location } from "react-router";
import { isReachable } from "#site/document/prefetch-page.ts";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { shownAsPopover } from "#site/ui/popover.ts";
import { ProgressLine } from "#site/ui/progress.tsx";
import { currentTrack } from "./core/playback.ts";
import { playbackAtom, useIsPlayerShown } from "./state.ts";

type GuardProps = { onOffline?: () => void };

/** A navigation that waits for its page: by Back or Forward with the router's index of the entry that it leads to. */
type Asked = { idx?: number } | null;

/**
 * Keeps the page, and with it the player, until the next page can be loaded: during playback, and offline. If that page
 * cannot be loaded, shows a notice with a retry. The router allows one blocker: the player's bar has this guard, other
 * pages that of `Later`.
 */
export function PageGuard({ onOffline }: GuardProps) {
  const asked = useRef<Asked>(null);
  const blocker = useBlocker(useIsHeld(asked));
  useFurtherBack(asked);
  const [failed, setFailed] = useState<Location | null>(null);
  const [isTrying, setTrying] = useState(false);
  const to = blocker.location;
  const decide = useEffectEvent((isAtHand: boolean) => {
    setTrying(false);
    asked.current = null;
    if (isAtHand) return blocker.proceed?.();
    setFailed(to ?? null);
    onOffline?.();
  });
  const isAsked = to !== undefined && (failed !== to || isTrying);
  useEffect(() => {
    if (!to || !isAsked) return;
    let isLatest = true;
    const { current } = asked;
    void isReachable(to).then((isAtHand) => isLatest && asked.current === current && decide(isAtHand));
    return () => {
      isLatest = false;
    };
  }, [to, isAsked]);
  return (
    <>
      <ProgressLine underway={isAsked} />
      {blocker.state === "blocked" && failed === to && (
        <Offline isTrying={isTrying} onTry={() => setTrying(true)} onStay={() => blocker.reset()} />
      )}
    </>
  );
}

/** Whether a navigation leads to another page and must wait until that can be loaded. */
function useIsHeld(askedRef: RefObject<Asked>) {
  const store = useStore();
  return useCallback<BlockerFunction>(
    ({ currentLocation: from, nextLocation: to, historyAction }) => {
      const playback = store.get(playbackAtom);
      const isListening = currentTrack(playback) !== null && !playback.isRestored;
      const isHeld =
        (isListening || !navigator.onLine) && (from.pathname !== to.pathname || from.search !== to.search);
      askedRef.current = isHeld
        ? { idx: historyAction === "POP" ? (history.state as Entry)?.idx : undefined }
        : null;
      return isHeld;
    },
    [store, askedRef],
  );
}

declare global {
  interface Window {
    /** Called on each move in the history, before the router (entry.client.tsx). */
    moveOfGuard?: (event: PopStateEvent) => void;
  }
}

/** The router's state of a history entry; the first one of a document has no key. */
type Entry = { idx?: number; key?: string } | null;

/**
 * The router undoes a blocked Back, so the next press would lead to the same page again. While that page is fetched,
 * each further press counts from it, as it does without a guard.
 */
function useFurtherBack(askedRef: RefObject<Asked>) {
  const { key: page } = useLocation();
  useEffect(() => {
    /** The index of this page's entry, once the router has undone the move. */
    let here: number | undefined;
    const onMove = (event: PopStateEvent) => {
      const { idx, key = "default" } = (event.state ?? {}) as NonNullable<Entry>;
      if (key === page) here = idx;
      const waiting = askedRef.current?.idx;
      if (key === page || here === undefined || waiting === undefined || idx === undefined) return;
      // Before the document's first entry, and after the last, there may be none: the press counts from this page.
      if (waiting >= here || idx + waiting < here) return;
      askedRef.current = null;
      event.stopImmediatePropagation();
      history.go(waiting - here);
    };
    window.moveOfGuard = onMove;
    return () => {
      if (window.moveOfGuard === onMove) window.moveOfGuard = undefined;
    };
  }, [page, askedRef]);
}

type OfflineProps = { isTrying: boolean; onTry: () => void; onStay: () => void };

/** Above everything else, such as the link's menu. Inside an open dialog, since everything outside it is inert. */
function Offline(props: OfflineProps) {
  const [dialog] = useState(() => document.querySelector("dialog[open]"));
  const notice = <Notice {...props} />;
  return dialog ? createPortal(notice, dialog) : notice;
}

/** Opens the notice. When it closes, the focus returns to the link, or to the page if the link's menu is closed. */
function show(box: HTMLElement | null) {
  const link = document.activeElement as HTMLElement;
  box?.showPopover?.();
  return () => {
    if (!box?.matches(":focus-within")) return;
    document.querySelector("main")!.focus({ preventScroll: true });
    link.focus();
  };
}

function Notice({ isTrying, onTry, onStay }: OfflineProps) {
  const hasBar = useIsPlayerShown();
  return (
    <div
      ref={show}
      {...shownAsPopover()}
      role="alert"
      className={cx(
        "pointer-events-auto fixed inset-auto right-8 left-4 m-0 w-auto sm:left-auto sm:w-96",
        hasBar
          ? "bottom-[calc(6.5rem+env(safe-area-inset-bottom))]"
          : "bottom-[calc(1rem+env(safe-area-inset-bottom))]",
        "animate-appear rounded-lg border border-l-4 border-rule border-l-danger bg-raised p-4 text-ink shadow-float",
      )}
    >
      <div className="flex items-start gap-3">
        <div className="mr-auto grid gap-1">
          <p className="font-medium">You are offline</p>
          <p className="text-sm text-muted">
            The page couldn’t be loaded. You can continue <span>{hasBar ? "listening" : "reading"}</span>{" "}
            here.
          </p>
        </div>
        <Button tone="bare" size="icon" aria-label="Close" className="-mt-2 -mr-2" onClick={onStay}>
          <X aria-hidden size={18} />
        </Button>
      </div>
      <Button tone="primary" busy={isTrying} className="mt-3" onClick={onTry}>
        Try Again
      </Button>
    </div>
  );
}
