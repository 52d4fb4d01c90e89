/** A listener's id as a browser makes it. */
export const newListener = () => `user_${crypto.randomUUID().replaceAll("-", "")}`;

/** Asks the site's API as the listener with this id. */
export async function sendAs(listener: string, url: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { "Listener-Id": listener, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
