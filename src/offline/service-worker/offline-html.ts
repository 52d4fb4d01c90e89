/** A link to a cached page or episode. */
export type Entry = { href: string; title: string };

type Content = {
  /** Addresses of the style sheet and the fonts. */
  shell: string[];
  script: string;
  /** The requested address. */
  address: string;
  episodes: Entry[];
  /** Newest first. */
  pages: Entry[];
};

/** Maximum pages listed; the cache may have more. */
const MOST_NAMED = 20;

/** Uses classes of the site's own style sheet. */
export const pageOf = ({ shell, script, address, episodes, pages }: Content) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>You are offline</title>
<script>${script}</script>
${shell
  .filter((file) => file.endsWith(".css"))
  .map((file) => `<link rel="stylesheet" href="${escaped(file)}">`)
  .join("\n")}
</head>
<body>
<main class="page grid min-h-dvh content-center justify-items-start gap-6 py-16">
<h1 class="headline text-2xl">You are offline</h1>
<p class="max-w-xl text-lg text-muted">This page isn’t saved on this device. It opens automatically when the connection is back.</p>
<p><a class="link font-medium" href="${escaped(address)}">Try Again</a></p>
${listOf("Episodes to listen to", episodes)}${listOf("Pages that you visited", pages.slice(0, MOST_NAMED))}</main>
</body>
</html>
`;

const listOf = (title: string, entries: Entry[]) =>
  entries.length === 0
    ? ""
    : `<section>
<h2 class="mb-2 text-base font-semibold">${title}</h2>
<ul>
${entries.map(({ href, title: name }) => `<li><a class="link inline-block py-1" href="${escaped(href)}">${escaped(name)}</a></li>`).join("\n")}
</ul>
</section>
`;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
