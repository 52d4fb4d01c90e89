/** Whether the page's content policy lets the address be framed: https, and its host among the settings' frame hosts. */
export function mayFrame(embedUrl: string, frameHosts: string[]) {
  const { protocol, host } = new URL(embedUrl);
  return protocol === "https:" && frameHosts.includes(host);
}
