import type { SEEN } from "#site/document/counting.ts";

const KEY: typeof SEEN = "analytics";
/** Maximum remembered contents of a session. */
const REMEMBERED = 200;

type Stored = { id: string; seen: string[] };

/**
 * One browser tab's session: its random id and the contents shown. Without storage it lasts as long as the document.
 */
export function openSession() {
  const session = read() ?? { id: crypto.getRandomValues(new Uint32Array(4)).join("-"), seen: [] };
  return {
    id: session.id,
    /** Whether the content is shown for the first time; marks it as shown. */
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
    // Storage is empty, forbidden or malformed.
  }
  return undefined;
}
