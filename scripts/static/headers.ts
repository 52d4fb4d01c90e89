import { folders } from "#worker/files/contract.ts";
import { transcriptFormats } from "#worker/episodes/transcript-formats.ts";

const YEAR = "public, max-age=31536000, immutable";
const ANYWHERE = "Access-Control-Allow-Origin: *";

/** `_headers` for Netlify and Cloudflare Pages. No header is named twice for a path: the hosts would join the values. */
export function headersFile() {
  const transcripts = Object.entries(transcriptFormats).map(([format, { type }]): [string, string[]] => [
    `/episode/:id/transcript.${format}`,
    [`Content-Type: ${typeWithCharset(type)}`, ANYWHERE],
  ]);
  const rules: [path: string, headers: string[]][] = [
    [
      "/*",
      [
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: strict-origin-when-cross-origin",
        "Permissions-Policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        "Strict-Transport-Security: max-age=31536000",
      ],
    ],
    // Browsers show application/rss+xml without its style, or download it.
    ["/rss/*", ["Content-Type: application/xml; charset=utf-8", ANYWHERE]],
    ["/episode/:id/chapters.json", ["Content-Type: application/json+chapters", ANYWHERE]],
    ...transcripts,
    ["/assets/*", [`Cache-Control: ${YEAR}`]],
    // Not all of /media: that is a page.
    ...Object.keys(folders).map((folder): [string, string[]] => [
      `/media/${folder}/*`,
      [`Cache-Control: ${YEAR}`, ANYWHERE],
    ]),
    ["/manifest.webmanifest", ["Content-Type: application/manifest+json"]],
    ["/sw.js", ["Cache-Control: no-cache"]],
  ];
  return (
    rules.map(([path, headers]) => [path, ...headers.map((each) => `  ${each}`)].join("\n")).join("\n\n") +
    "\n"
  );
}

const typeWithCharset = (type: string) => (type.startsWith("text/") ? `${type}; charset=utf-8` : type);
