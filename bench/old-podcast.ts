import { feedXml } from "../test/support/feed-xml.ts";
import { makeMp3 } from "../test/support/mp3.ts";
import type { startPodcastHost } from "../test/support/podcast-host.ts";
import type { Language } from "./language.ts";
import { transcript } from "./long-content.ts";

const DAY_MS = 86_400_000;
const HOUR = 3600;

export type Host = Awaited<ReturnType<typeof startPodcastHost>>;

type Podcast = {
  /** Part of its addresses and GUIDs. */
  n: number;
  episodes: number;
};

/** Twelve minutes of an MP3 with the tag of encoders, which has its length. */
const AUDIO = makeMp3({ seconds: 720, xing: true });
const ENCODED = Buffer.from(AUDIO).toString("base64");

/** A podcast at an old host, each episode with notes of 400 words and a transcript of an hour. Returns its feed's address. */
export function serveOldPodcast(host: Host, language: Language, { n, episodes }: Podcast) {
  const base = `http://127.0.0.1:${host.port}`;
  const items = Array.from({ length: episodes }, (_, k) => ({
    guid: `urn:old:${n}:${k}`,
    title: `Episode ${n}.${k}`,
    pubDate: new Date(Date.UTC(2015, 0, 1) + k * DAY_MS).toUTCString(),
    audio: { url: `${base}/${n}-${k}.mp3`, length: AUDIO.length },
    more: `<description>${language.sentences(60)}</description>
<content:encoded><![CDATA[<p>${language.paragraphs(400).replaceAll("\n\n", "</p><p>")}</p>]]></content:encoded>
<podcast:transcript url="${base}/transcripts/${n}.vtt" type="text/vtt"/>`,
  }));
  for (let k = 0; k < episodes; k++) {
    const headers = { "Content-Type": "audio/mpeg", "Content-Length": String(AUDIO.length) };
    host.answers.set(`/${n}-${k}.mp3`, { path: "", headers, bytes: ENCODED });
  }
  host.answers.set(`/transcripts/${n}.vtt`, { path: "", body: transcript(language, HOUR) });
  host.answers.set(`/feed-${n}.xml`, {
    path: "",
    headers: { "Content-Type": "text/xml" },
    body: feedXml({ items, more: "" }),
  });
  return `${base}/feed-${n}.xml`;
}
