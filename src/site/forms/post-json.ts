/** Milliseconds. On an unstable network, as on a train, a request may hang for minutes. */
const LONGEST_WAIT = 30_000;

/** The answer's JSON; null if it has none. Throws if the connection fails or times out. */
export async function postJson(action: string, body: object) {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new Error("No response.")), LONGEST_WAIT);
  try {
    const headers = { "Content-Type": "application/json" };
    const { signal } = waiting;
    const response = await fetch(action, { method: "POST", headers, body: JSON.stringify(body), signal });
    return { ok: response.ok, status: response.status, answer: await jsonOf(response) };
  } finally {
    clearTimeout(timer);
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
