import { describe, expect, test } from "vitest";
import { readChannel } from "#worker/imports/feed/document.ts";
import { factsOf } from "#worker/imports/feed/facts.ts";
import { mayBeSimplified, notesOf, plainOf } from "#worker/imports/feed/notes.ts";
import { lineOf } from "#worker/imports/feed/values.ts";
import { processorTime } from "../support/processor-time.ts";

/** So many of what begins and never ends: a pattern that reads on from each of them takes hours. */
const MANY = 1_000_000;
const openTags = "<a".repeat(MANY);

describe("HTML of a hostile host is read in one pass", () => {
  test("where no tag ends, it is plain text", () => {
    expect(plainOf(openTags) === openTags).toBe(true);
  });

  test.each([
    ["tags", openTags],
    ["paragraphs", "<p ".repeat(MANY)],
  ])("%s that never end say nothing behind one that does", (_what, rest) => {
    expect(plainOf(`<b>Words</b>${rest}`)).toBe("Words");
  });

  test("within too many others are not changed", () => {
    expect(plainOf(`${"<b>".repeat(300)}Words ${openTags}`) === `Words ${openTags}`).toBe(true);
  });

  test("tags within tags are as deep as they look", () => {
    expect(plainOf(`${"<a<p>".repeat(MANY)}Words`)).toBe("Words");
  });

  const attributes = Array.from({ length: 190 }, (_, n) => `<b id="${n}">`).join("");
  test.each([
    ["that are closed by others", "<div></i>".repeat(40_000)],
    ["in which nothing closes the others", "<li><dd>".repeat(40_000)],
    ["which each paragraph has anew", attributes + "<p>".repeat(100_000)],
  ])("elements %s are too many", (_what, html) => {
    const milliseconds = processorTime(() => {
      expect(plainOf(`${html}Words`)).toBe("Words");
      expect(notesOf(`${html}Words`, 1000)).toMatchObject({ markdown: "Words", isSimplified: true });
    });
    expect(milliseconds).toBeLessThan(10_000);
  });
});

describe("the note that show notes may be simplified", () => {
  test.each([
    ["long ones", `<p>${"word ".repeat(22_000)}</p>`],
    ["lists within lists", "<ul><li>".repeat(210)],
    ["many marks in one paragraph", "<b>a</b> [x] ".repeat(1300)],
    ["many open brackets", "[".repeat(600)],
  ])("is true of %s, which are", (_what, notes) => {
    expect(notesOf(notes, 100_000).isSimplified).toBe(true);
    expect(mayBeSimplified(notes)).toBe(true);
  });

  test("is false of notes as most are, and takes one pass", () => {
    expect(mayBeSimplified(`<p>${"Some <a href='x'>words</a>. ".repeat(80)}</p><ul><li>One</li></ul>`)).toBe(
      false,
    );
    expect(mayBeSimplified("<".repeat(MANY))).toBe(true);
  });
});

describe("a channel of a hostile host", () => {
  const facts = (channel: Record<string, string>) => factsOf(channel, "https://old.example/feed");

  test("has as much of its description as a show takes", () => {
    expect(facts({ description: `<b>Words</b>${openTags}` }).description).toBe("Words");
    expect(facts({ description: openTags }).description).toBe(openTags.slice(0, 4000));
  });

  test("has its title up to the point at which it breaks off", () => {
    expect(facts({ title: `A${" ".repeat(4 * MANY)}B` }).title).toBe("A");
  });
});

test("white space with a break becomes one space, and other white space is unchanged", () => {
  expect(lineOf(" A  B \n\t C\u2028D\n", 255)).toBe("A  B C D");
});

test.each([
  ["elements within each other", `${"<a>".repeat(200)}x${"</a>".repeat(200)}`],
  ["an element by a name of JavaScript's own", "<constructor>x</constructor>"],
])("a feed with %s is refused with a message", (_what, xml) => {
  expect(() => readChannel(`<rss><channel>${xml}</channel></rss>`)).toThrow(
    /^This feed has unknown elements/,
  );
});

test("a bare & is escaped, except in a feed of more than four megabytes or with millions of them", () => {
  const feed = (word: string, count: number) =>
    `<rss><channel><title>Tom & Jerry</title><link>${word.repeat(count)}</link></channel></rss>`;
  expect(readChannel(feed("word ", 700_000))).toMatchObject({ title: "Tom & Jerry" });
  expect(() => readChannel(feed("word ", 900_000))).toThrow(/^The feed is broken in line 1:/);
  expect(() => readChannel(feed("&", 3_900_000))).toThrow(/^The feed is broken in line 1:/);
});

test("elements of XHTML that close in themselves are skipped, however many there are", () => {
  const entry = (content: string) => `<entry><title>One</title>${content}</entry>`;
  const channel = readChannel(
    `<feed xmlns="http://www.w3.org/2005/Atom">${entry('<content type="xhtml"><p>Words</p></content>')}${entry(
      `<content a=">" type="xhtml"/>`.repeat(100_000),
    )}</feed>`,
  );
  expect(JSON.stringify(channel)).toContain("<p>Words</p>");
});

test("a feed of sections alone that no element closes is refused with a message", () => {
  const sections = "<![CDATA[]]>".repeat(300_000);
  expect(() => readChannel(`<rss><channel>${sections}</rss>`)).toThrow(/^The feed is broken in line 1:/);
});

describe("a web page instead of a feed", () => {
  const ANSWER = "This address is a web page, not a feed.";
  const names = (head: string) => () => readChannel(`<!doctype html><html><head>${head}`);

  test("names the first feed that it links to", () => {
    const links = `<link rel="icon" href="/a.png"><link rel=alternate type=application/rss+xml href="https://old.example/feed">`;
    expect(names(links)).toThrow(`${ANSWER} It links to this feed: https://old.example/feed`);
  });

  test.each([
    ["never end", ""],
    ["end once", ">"],
  ])("names none if links %s, in one pass", (_what, end) => {
    expect(names("<link ".repeat(4 * MANY) + end)).toThrow(ANSWER);
    expect(names("<link ".repeat(150_000) + end)).toThrow(ANSWER);
  });
});
