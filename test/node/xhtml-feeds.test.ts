import { describe, expect, test } from "vitest";
import { readChannel } from "#worker/imports/feed/document.ts";
import { episodesOf } from "#worker/imports/feed/episodes.ts";
import { notesOf } from "#worker/imports/feed/notes.ts";

// https://www.rfc-editor.org/rfc/rfc4287#section-3.1.1.3 (XHTML)
describe("the texts of an Atom feed", () => {
  const read = (content: string, root = "") => {
    const [episode] = episodesOf(
      readChannel(
        `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ${root}><title>F</title><entry><id>urn:1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>lamp</b> &amp; oil</div></title><published>2023-05-06T10:00:00Z</published><link rel="enclosure" href="https://f.example/1.mp3" type="audio/mpeg"/>${content}</entry></feed>`,
        "https://f.example/",
      ),
    );
    return {
      title: episode!.title,
      notes: notesOf(episode!.notes, 1000).markdown,
      omissions: episode!.omissions,
    };
  };

  test.each([
    [
      "in elements are HTML, in their order",
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><h2>Part</h2><p>One <b>two</b> three<br/>four &amp; five &lt;tag&gt;</p><i/><p>After <a href="https://x.example/">link</a></p></div></content>',
      "## Part\n\nOne **two** three\\\nfour & five \\<tag>\n\nAfter [link](https://x.example/)",
    ],
    [
      "may have a prefix",
      '<content xml:lang="en" type="xhtml"><xh:div xmlns:xh="http://www.w3.org/1999/xhtml"><xh:p>One <xh:b>two</xh:b></xh:p></xh:div></content>',
      "One **two**",
    ],
    [
      "may have sections and comments",
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><!-- no --><p><![CDATA[a < b]]></p></div></content>',
      "a < b",
    ],
    [
      "that are about it are left",
      "<content type=\"html\"><![CDATA[<p>Use <code>&lt;content type='xhtml'&gt;</code></p>]]></content>",
      "Use `<content type='xhtml'>`",
    ],
  ])("the texts of an Atom feed %s", (_what, content, notes) => {
    expect(read(content)).toEqual({ title: "A lamp & oil", notes, omissions: [] });
  });
});
