import { parseFragment, serialize } from "parse5";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { trackOf } from "#site/player/core/playback.ts";
import type { ShownEpisode } from "#site/site/episode/shown-episode.ts";
import { Transcript } from "#site/site/episode/transcript.tsx";
import { writeTranscript } from "#site/site/episode/write-transcript.server.ts";
import { writtenLines } from "#site/site/episode/written-transcript.ts";
import type { Paragraph } from "#worker/episodes/paragraphs.ts";

const paragraphs: Paragraph[] = [
  { start: 0, speaker: "", text: "A wordless beginning." },
  { start: 12.34, speaker: "O’Hara & “sons”", text: `She said: "it's <b>here</b>" & left.` },
  { start: 3723.5, speaker: `<img src=x onerror="x">`, text: "&amp; $& {text}" },
  { start: 3800, speaker: "", text: "</li></ol><script>alert(1)</script>" },
];

const track = trackOf({ id: 1, title: "An episode" } as Parameters<typeof trackOf>[0], "A show");

/** As a browser's parser understands it. */
const linesIn = (html: string) => /<ol.*<\/ol>/s.exec(serialize(parseFragment(html)))![0];

it.each([
  ["at its beginning", 0, 0],
  ["within a paragraph", 20, 1],
  ["after the last", 9999, 1],
])("a document's transcript is the HTML that React hydrates, opened %s", (_, startAt, marked) => {
  const render = () =>
    linesIn(
      renderToStaticMarkup(<Transcript {...{ paragraphs: ours, track, startAt }} url="https://x.example/" />),
    );
  const ours = [...paragraphs];
  const rendered = render();
  writeTranscript({ transcript: ours } as ShownEpisode, startAt);
  const written = render();
  expect(writtenLines(ours)).toContain("&#60;script&#62;");
  expect(written.split('aria-current="time"')).toHaveLength(marked + 1);
  expect(written).toBe(rendered);
});
