import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { keepTexts } from "./document/translation.ts";

type Entry = { key?: string; masked?: unknown; usr?: unknown } | null;

// After a reload, an article that was open over its list is the essay's own page: the server renders the address, and the
// history entry must agree.
const entry = history.state as Entry;
if (entry?.masked) history.replaceState({ ...entry, masked: undefined, usr: null }, "");

// Before the router's listener (ui/close-on-back.ts, player/page-guard.tsx).
addEventListener("popstate", (event) => {
  window.moveOfLayers?.(event);
  window.moveOfGuard?.(event);
});
keepTexts();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
