/** Opens and closes a popover by its buttons in browsers that cannot (`../../ui/popover.ts`). */
import type { OPEN } from "../../ui/popover.ts";

const open: typeof OPEN = "data-open";

if (!("popover" in HTMLElement.prototype)) {
  addEventListener("click", ({ target }) => {
    const id = (target as Element).closest("[popovertarget]")?.getAttribute("popovertarget");
    if (id) document.getElementById(id)?.toggleAttribute(open);
  });
}
