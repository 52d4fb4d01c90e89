import { buttonClass } from "./button.tsx";
import { OPEN_MODAL } from "./popover.ts";

/** Milliseconds to read the notice. */
const RELOADS_AFTER = 4000;

const ID = "new-version";

/**
 * Shows that the site was updated, and reloads the page if that loses nothing; otherwise asks the visitor to. Built
 * without React, since the code of another notice may be gone, too.
 */
export function offerNewVersion({ mayReload = true } = {}) {
  document.getElementById(ID)?.remove();
  const notice = Object.assign(document.createElement("div"), {
    id: ID,
    className:
      "fixed inset-x-4 top-4 mx-auto grid max-w-md justify-items-start gap-3 rounded-lg border border-l-4 border-rule " +
      "border-l-accent bg-raised p-4 font-sans text-sm text-ink shadow-float print:hidden",
    role: "alert",
  });
  notice.style.zIndex = "60";
  // Inside an open dialog, since everything outside is inert.
  ([...document.querySelectorAll(OPEN_MODAL)].at(-1) ?? document.body).appendChild(notice);
  if (!mayReload || isSomethingLost()) return askToReload(notice);
  notice.appendChild(paragraph("This site was just updated. The page reloads in a moment."));
  setTimeout(() => {
    if (isSomethingLost()) askToReload(notice);
    else location.reload();
  }, RELOADS_AFTER);
}

function askToReload(notice: HTMLElement) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: buttonClass({ size: "sm" }),
    textContent: "Reload",
    onclick: () => location.reload(),
  });
  notice.textContent = "";
  notice.appendChild(paragraph("This site was just updated. Reload the page to continue."));
  notice.appendChild(button);
}

const paragraph = (textContent: string) => Object.assign(document.createElement("p"), { textContent });

/** Whether something is playing or typed. */
const isSomethingLost = () =>
  [...document.querySelectorAll<HTMLMediaElement>("audio, video")].some(({ paused }) => !paused) ||
  [...document.querySelectorAll<HTMLInputElement>(TYPED_IN)].some(
    (field) => field.value !== field.defaultValue,
  );

const TYPED_IN =
  "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=range], [type=file])";
