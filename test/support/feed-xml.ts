/** The feed of an old host, as text. */

export type Item = {
  guid?: string;
  title?: string;
  pubDate?: string;
  audio?: { url: string; type?: string; length?: number | string } | null;
  /** XML behind those. */
  more?: string;
};

type Channel = {
  title?: string;
  items: Item[];
  /** XML before the items. */
  more?: string;
  encoding?: string;
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:psc="http://podlove.org/simple-chapters"',
].join(" ");

export const feedXml = ({ title = "Old Ground", items, more = "", encoding = "UTF-8" }: Channel) =>
  `<?xml version="1.0" encoding="${encoding}"?>
<rss version="2.0" ${NAMESPACES}><channel>
<title>${escaped(title)}</title><link>https://old.example/</link><description>Talk about housing.</description>
<language>en-au</language><itunes:author>Imogen Tarrant</itunes:author>
<itunes:category text="Society &amp; Culture"><itunes:category text="Documentary"/></itunes:category>
<itunes:explicit>false</itunes:explicit>
${more}
${items.map(itemXml).join("\n")}
</channel></rss>`;

const itemXml = ({ guid, title, pubDate, audio, more = "" }: Item) =>
  [
    "<item>",
    title === undefined ? "" : `<title>${escaped(title)}</title>`,
    guid === undefined ? "" : `<guid isPermaLink="false">${escaped(guid)}</guid>`,
    pubDate === undefined ? "" : `<pubDate>${pubDate}</pubDate>`,
    audio
      ? `<enclosure url="${escaped(audio.url)}" type="${audio.type ?? "audio/mpeg"}"${audio.length === undefined ? "" : ` length="${audio.length}"`}/>`
      : "",
    more,
    "</item>",
  ].join("");
