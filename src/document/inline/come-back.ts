/**
 * On the offline page: loads the requested page once there is a connection. The browser's `online` event is unreliable
 * and may fire before this listens, so the script polls as well.
 */
const EVERY = 5000;

const comeBack = async () => {
  try {
    // The service worker does not handle HEAD.
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
  } catch {
    return;
  }
  location.reload();
};
addEventListener("online", () => void comeBack());
setInterval(() => void (document.hidden || comeBack()), EVERY);
