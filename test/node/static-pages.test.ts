import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkLinks } from "../../scripts/static/check-links.ts";
import { find, serializePage, toStaticPage } from "../../scripts/static/page.ts";
import { readdress, readdressFeed } from "../../scripts/static/readdress.ts";
import { redirectLines } from "../../scripts/static/redirects.ts";
import { targetOf } from "../../scripts/static/targets.ts";

const move = {
  from: "https://old.example",
  address: "https://new.example",
  hasAudio: true,
  redirects: new Map([
    ["/essays/former", "/essays/current/"],
    ["/?p=12", "/essays/current/"],
  ]),
};
const options = { ...move, email: "owner@example.com" };

const target = (address: string) => targetOf(new URL(address, move.from), move);
const page = (body: string, given = options) =>
  serializePage(
    toStaticPage(
      `<html><head></head><body>${body}</body></html>`,
      new URL("https://old.example/episode/5"),
      given,
    ).document,
  )
    .replace(/^.*<body>/s, "")
    .replace(/<\/body>.*$/s, "");

describe("the file of an address", () => {
  test.each([
    ["/", "/index.html", "/"],
    ["/essays/a-title", "/essays/a-title/index.html", "/essays/a-title/"],
    ["/essays/a-title/", "/essays/a-title/index.html", "/essays/a-title/"],
    [
      "/podcast?before=1795944347828-5",
      "/podcast/before-1795944347828-5/index.html",
      "/podcast/before-1795944347828-5/",
    ],
    [
      "/conversations?utm_source=x&source=linkedin",
      "/conversations/source-linkedin/index.html",
      "/conversations/source-linkedin/",
    ],
    ["/episode/5?t=90#content", "/episode/5/index.html", "/episode/5/?t=90#content"],
    ["/contact?type=media#write", "/contact/index.html", "/contact/#write"],
    ["/search?q=lease", "/search/index.html", "/search/?q=lease"],
    ["/rss/podcast.xml?page=2", "/rss/podcast-page-2.xml", "/rss/podcast-page-2.xml"],
    ["/share/episode/5?v=1", "/share/episode/5.jpg", "/share/episode/5.jpg"],
    ["/media/podcast-audio/a/b.mp3?download", "/media/podcast-audio/a/b.mp3", "/media/podcast-audio/a/b.mp3"],
    ["/essays/former", "/essays/current/index.html", "/essays/current/"],
    ["/?p=12", "/essays/current/index.html", "/essays/current/"],
  ])("of %s is %s, linked as %s", (address, file, href) => {
    expect(target(address)).toMatchObject({ file, href });
  });

  test.each([
    "/admin",
    "/admin/settings",
    "/api/search?q=a",
    "/oembed?url=x",
    "/verify-email?token=a",
    "/preview?token=a",
  ])("%s has none, because it needs a server", (address) => {
    expect(target(address)).toBe("gone");
  });

  test("never leaves the folder of a parameter's value", () => {
    expect(target("/podcast?before=../../etc")).toMatchObject({
      file: "/podcast/before-_2e__2e__2f__2e__2e__2f_etc/index.html",
    });
  });

  test("keeps a recording at the old address unless recordings are copied", () => {
    const recording = new URL("https://old.example/media/podcast-audio/a/b.mp3");
    expect(targetOf(recording, { ...move, hasAudio: false })).toMatchObject({
      file: "",
      href: recording.href,
    });
  });
});

describe("a page as a file", () => {
  test("has no scripts but structured data, and no controls that need one", () => {
    const html = page(
      `<script>alert(1)</script><script type="module" src="/assets/a.js"></script>` +
        `<button data-plays="/media/a.mp3">Play</button><div class="flex script-only"><a href="/">x</a></div>` +
        `<button popovertarget="menu">Menu</button>` +
        `<script type="application/ld+json">{"url":"https://old.example/episode/5","n":"\\u003c/script>"}</script>`,
    );
    expect(html).toBe(
      `<button popovertarget="menu">Menu</button>` +
        `<script type="application/ld+json">{"url":"https://new.example/episode/5/","n":"\\u003c/script>"}</script>`,
    );
  });

  test("shows the content of noscript", () => {
    const form = `<iframe src="https://forms.example/1"></iframe>`;
    expect(page(`<noscript>${form}</noscript>`)).toBe(form);
    expect(page(`<noscript class="late">${form}</noscript>`)).toBe(`<div class="late">${form}</div>`);
  });

  test("has a sentence with the owner's address in the place of a form, and keeps the search's", () => {
    const form = `<form id="write" action="/api/contact-messages" method="post"><input name="email"><button>Send</button></form>`;
    expect(page(form)).toBe(
      `<p id="write">This form is closed. Please write to <a href="mailto:owner@example.com" class="link" translate="no">owner@example.com</a> instead.</p>`,
    );
    expect(page(form, { ...options, email: "" })).toBe(`<p id="write">This form is closed.</p>`);
    const search = `<form role="search" action="/search"><input name="q"><button type="submit">Search</button></form>`;
    expect(page(search)).toBe(search.replace("/search", "/search/"));
  });

  test("links to files, to the new address where it names itself, and not to what needs a server", () => {
    expect(
      page(
        `<a href="/essays/x">a</a><a href="https://old.example/essays/x">b</a><a href="https://other.example/x">c</a>` +
          `<p>See <a href="/api/search?q=a">the results</a>.</p><footer><a href="/admin">Admin Login</a></footer>` +
          `<a href="https://share.example/?url=https%3A%2F%2Fold.example%2Fessays%2Fx">d</a>` +
          `<img srcset="/media/a/1/b.webp 160w, /media/a/2/b.webp 320w">`,
      ),
    ).toBe(
      `<a href="/essays/x/">a</a><a href="/essays/x/">b</a><a href="https://other.example/x">c</a>` +
        `<p>See the results.</p><footer></footer>` +
        `<a href="https://share.example/?url=https%3A%2F%2Fnew.example%2Fessays%2Fx">d</a>` +
        `<img srcset="/media/a/1/b.webp 160w, /media/a/2/b.webp 320w">`,
    );
    const { document } = toStaticPage(
      `<head><link rel="canonical" href="https://old.example/essays/x"><meta property="og:url" content="https://old.example/essays/x"></head>`,
      new URL("https://old.example/essays/x"),
      options,
    );
    expect(find(document, ({ tagName }) => tagName === "link")?.attrs.at(-1)?.value).toBe(
      "https://new.example/essays/x/",
    );
    expect(find(document, ({ tagName }) => tagName === "meta")?.attrs.at(-1)?.value).toBe(
      "https://new.example/essays/x/",
    );
  });

  test("replaces an address that is shown, and leaves what the owner wrote about one as it is", () => {
    const text = "<p>This site was at https://old.example for years.</p>";
    expect(page(text)).toBe(text);
    expect(page("<p>https://old.example/rss/podcast.xml</p>")).toBe(
      "<p>https://new.example/rss/podcast.xml</p>",
    );
  });
});

describe("the new address", () => {
  test("replaces the old one, and not the beginning of another host", () => {
    expect(
      readdress(
        "https://old.example. https://old.example.net/ https://old.example:8080/ https://old.example/a",
        move,
      ),
    ).toBe("https://new.example. https://old.example.net/ https://old.example:8080/ https://new.example/a");
  });

  const feed = (item: string) =>
    `<rss><channel><link>https://old.example/</link><item>🌏${item}</item></channel></rss>`;

  test("is in a feed everywhere but in GUIDs", () => {
    const guid = `<guid isPermaLink="false">https://old.example/articles/7</guid>`;
    expect(readdressFeed(feed(`${guid}<link>https://old.example/essays/a</link>${guid}`), move)).toBe(
      `<rss><channel><link>https://new.example/</link><item>🌏${guid}<link>https://new.example/essays/a</link>${guid}</item></channel></rss>`,
    );
  });

  test("is not in the addresses of recordings that stay", () => {
    const enclosure = `<enclosure url="https://old.example/media/podcast-audio/a/b.mp3" length="1" type="audio/mpeg"/>`;
    const image = `<image href="https://old.example/media/podcast-images/a/b.jpg"/>`;
    expect(readdressFeed(feed(enclosure + image), { ...move, hasAudio: false })).toContain(
      enclosure + image.replace("old", "new"),
    );
    expect(readdressFeed(feed(enclosure), move)).toContain(enclosure.replace("old", "new"));
  });

  test("follows the op3.dev prefix of copied recordings", () => {
    const enclosure = `<enclosure url="https://op3.dev/e,pg=1/old.example/media/podcast-audio/a/b.mp3"/>`;
    expect(readdressFeed(feed(enclosure), move)).toContain(enclosure.replace("old", "new"));
    expect(readdressFeed(feed(enclosure), { ...move, hasAudio: false })).toContain(enclosure);
  });
});

test("lines of _redirects are encoded, and have no placeholder of an old address", () => {
  const lines = redirectLines([{ from: "/2019/héllo *:x", to: "/essays/hello/", status: 301 }]);
  expect(lines).toBe("/2019/h%C3%A9llo%20%2A%3Ax /essays/hello/ 301\n");
});

test("the link checker knows files, folders, ids and redirects, and reports every other address of the site", () => {
  const folder = mkdtempSync(join(tmpdir(), "static-links-"));
  try {
    mkdirSync(join(folder, "essays/a"), { recursive: true });
    mkdirSync(join(folder, "rss"));
    writeFileSync(join(folder, "_redirects"), "/old /essays/a/ 301\n/older /essays/none/ 301\n");
    writeFileSync(
      join(folder, "style.css"),
      "a{background:url(missing.png)}b{background:url(data:image/png,x)}",
    );
    writeFileSync(
      join(folder, "rss/feed.xml"),
      "<link>https://new.example/essays/a</link><link>https://new.example/none</link>",
    );
    writeFileSync(
      join(folder, "essays/a/index.html"),
      `<h2 id="notes"></h2><a href="#notes">a</a><a href="#none">b</a><a href="/essays/a/#none">c</a><a href="/50%">d</a>` +
        `<a href="/old">1</a><a href="?t=1">2</a><a href="../b/">3</a><img srcset="/x.webp 1w, /style.css 2w">` +
        `<a href="https://other.example/none">4</a><a href="mailto:a@b.example">5</a>`,
    );
    const found = checkLinks(folder, { address: "https://new.example" });
    expect(found.map(({ file, link }) => `${file} ${link}`).toSorted()).toEqual([
      "_redirects /essays/none/",
      "essays/a/index.html #none",
      "essays/a/index.html ../b/",
      "essays/a/index.html /50%",
      "essays/a/index.html /essays/a/#none",
      "essays/a/index.html /x.webp",
      "rss/feed.xml https://new.example/none",
      "style.css missing.png",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
