let locks = 0;

/**
 * Keeps the page from scrolling behind a modal; returns what ends it, as one modal may open while another closes. The place
 * of a scroll bar is kept, so that nothing moves. No backdrop reaches there, hence the colour.
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
