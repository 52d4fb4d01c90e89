/** Marks a browser without offline support before the first paint, so that it never shows what needs it (`app.css`). */
if (!("serviceWorker" in navigator && "caches" in window))
  document.documentElement.classList.add("no-offline");
