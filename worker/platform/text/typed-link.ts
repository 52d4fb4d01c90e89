/** A host with a dot, perhaps a port, then the rest. */
const HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u;

/** A web address as people type it, with `https://` if it has no scheme: `linkedin.com/in/name`. */
export function completeLink(typed: string) {
  const link = typed.trim();
  if (link.startsWith("//")) return `https:${link}`;
  return HOST.test(link) ? `https://${link}` : link;
}
