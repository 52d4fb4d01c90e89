/**
 * On the page that says that there is no connection: asks again for the page when there is one. The browser is often wrong
 * about that, or tells before this listens, so it is tried as well.
 */
const EVERY = 5000;

const comeBack = async () => {
  try {
    // The service worker answers no HEAD.
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
  } catch {
    return;
  }
  location.reload();
};
addEventListener("online", () => void comeBack());
setInterval(() => void (document.hidden || comeBack()), EVERY);
