const loaded = new Map<string, Promise<unknown>>();

/** Adds a style sheet to the document, once. After a failure, the next call retries. */
export function loadStylesheet(href: string) {
  const loading = loaded.get(href) ?? addStylesheet(href);
  loaded.set(href, loading);
  loading.catch(() => loaded.delete(href));
  return loading;
}

function addStylesheet(href: string) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(`The style sheet ${href} could not be fetched.`));
    });
    document.head.appendChild(link);
  });
}
