import { useStore } from "jotai";
import { X } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { createPortal } from "react-dom";
import { useBlocker, type BlockerFunction, type Location } from "react-router";
import { isReachable } from "#site/document/prefetch-page.ts";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { shownAsPopover } from "#site/ui/popover.ts";
import { ProgressLine } from "#site/ui/progress.tsx";
import { currentTrack } from "./core/playback.ts";
import { playbackAtom, useIsPlayerShown } from "./state.ts";

type GuardProps = { onOffline?: () => void };

/**
 * Keeps the page, and with it the player, until the next page can be loaded: during playback, and offline. If that page
 * cannot be loaded, shows a notice with a retry. The router allows one blocker: the player's bar has this guard, other
 * pages that of `Later`.
 */
export function PageGuard({ onOffline }: GuardProps) {
  const blocker = useBlocker(useIsHeld());
  const [failed, setFailed] = useState<Location | null>(null);
  const [isTrying, setTrying] = useState(false);
  const to = blocker.location;
  const decide = useEffectEvent((isAtHand: boolean) => {
    setTrying(false);
    if (isAtHand) return blocker.proceed?.();
    setFailed(to ?? null);
    onOffline?.();
  });
  const isAsked = to !== undefined && (failed !== to || isTrying);
  useEffect(() => {
    if (!to || !isAsked) return;
    let isLatest = true;
    void isReachable(to).then((isAtHand) => isLatest && decide(isAtHand));
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
function useIsHeld() {
  const store = useStore();
  return useCallback<BlockerFunction>(
    ({ currentLocation: from, nextLocation: to }) => {
      const playback = store.get(playbackAtom);
      const isListening = currentTrack(playback) !== null && !playback.isRestored;
      if (!isListening && navigator.onLine) return false;
      return from.pathname !== to.pathname || from.search !== to.search;
    },
    [store],
  );
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
