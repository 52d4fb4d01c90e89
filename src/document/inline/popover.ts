/**
 * Opens and closes a popover by its buttons in browsers that have none (Safari before 17, Firefox before 125): there
 * `app.css` hides what has the attribute, and without it the popover is an element like others.
 */
addEventListener("click", ({ target }) => {
  const button = (target as Element).closest("[popovertarget]");
  if (button && !("popover" in button))
    document.getElementById(button.getAttribute("popovertarget")!)!.toggleAttribute("popover");
});
