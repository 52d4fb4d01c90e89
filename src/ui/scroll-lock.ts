let locks = 0;

/**
 * Locks the page's scroll behind a modal; returns a function that unlocks it. Locks are counted, because one modal may open
 * while another closes. Reserves the scroll bar's space, so that nothing moves, in the backdrop's colour.
 */
export function lockScroll() {
  const { style, clientWidth } = document.documentElement;
  if (locks++ === 0) {
    style.cssText = "overflow:hidden;background:#0c0c0a80";
    if (window.innerWidth > clientWidth) style.scrollbarGutter = "stable";
  }
  return () => {
    if (--locks === 0) style.cssText = "";
  };
}
