/** Milliseconds that the header Retry-After asks to wait, from seconds or a date (RFC 9110 §10.2.3); null without one. */
export function retryAfterOf({ headers }: { headers: Headers }, now: Date) {
  const given = headers.get("Retry-After");
  if (!given) return null;
  const wait = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now.getTime();
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}
