/**
 * Opens and closes popovers by their buttons in browsers without the API (Safari before 17, Firefox before 125):
 * `app.css` hides elements with the attribute, and removing it shows the popover.
 */
addEventListener("click", ({ target }) => {
  const button = (target as Element).closest("[popovertarget]");
  if (button && !("popover" in button))
    document.getElementById(button.getAttribute("popovertarget")!)!.toggleAttribute("popover");
});
