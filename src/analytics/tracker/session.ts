import type { SEEN } from "#site/document/counting.ts";

const KEY: typeof SEEN = "analytics";
/** Contents of a session that are known to have been shown. */
const REMEMBERED = 200;

type Stored = { id: string; seen: string[] };

/** One browser tab's visit: its random name, and what was shown in it. Lasts as long as the document without storage. */
export function openSession() {
  const session = read() ?? { id: crypto.getRandomValues(new Uint32Array(4)).join("-"), seen: [] };
  return {
    id: session.id,
    /** Whether it is shown for the first time; the next time it is not. */
    isNew(content: string) {
      if (session.seen.includes(content)) return false;
      session.seen = [...session.seen, content].slice(-REMEMBERED);
      try {
        sessionStorage.setItem(KEY, JSON.stringify(session));
      } catch {
        // Storage is forbidden or full.
      }
      return true;
    },
  };
}

function read(): Stored | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY)!) as Stored;
    if (/^[\w-]{8,64}$/.test(stored.id) && Array.isArray(stored.seen)) return stored;
  } catch {
    // Nothing is stored, or storage is forbidden or malformed.
  }
  return undefined;
}
