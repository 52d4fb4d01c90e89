import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { blockingFindings } from "#worker/letters/check.ts";
import { previewLetter } from "#worker/letters/preview.ts";
import { renderLetter, renderUncounted } from "#worker/letters/render.ts";
import { mimeOf } from "#worker/mail/mime.ts";
import type { Mail } from "#worker/mail/message.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { ownerContext } from "./support/client.ts";
import { storedImage } from "./support/factories.ts";
import { hostileTexts } from "./support/hostile.ts";
import { copyTo } from "./support/letters.ts";

const SITE_URL = "http://localhost:8787";

const settings = (newsletter: Partial<(typeof siteDefaults)["newsletter"]> = {}) =>
  updateSite(ownerContext(), {
    name: "Plain Ground",
    language: "de-AT",
    newsletter: { ...siteDefaults.newsletter, postalAddress: "12 Elm Street\nHobart 7000", ...newsletter },
  });

beforeAll(() => settings());

const words = { id: 7, subject: "On rent", preheader: "What it costs.", content: "Dear reader." };

const render = async (content: string, fields: Partial<typeof words> = {}) =>
  copyTo((await renderLetter(ownerContext(), { ...words, ...fields, content })).mail);

/** Parsed as a mail program receives it. */
async function arrived(mail: Mail) {
  const { raw } = mimeOf(mail);
  return PostalMime.parse(new Uint8Array(raw));
}

describe("the email of a letter", () => {
  it("has a text and an HTML part, in the site's language, with subject, sender and address", async () => {
    const { html = "", text, subject } = await arrived(await render("Liebe *Grüße* 🌾\n\n- eins\n- zwei"));
    expect(subject).toBe("On rent");
    expect(html).toContain('<html lang="de-AT">');
    expect(html).toContain("<h1");
    expect(html).toContain("Plain Ground</a>");
    expect(html).toContain("12 Elm Street<br>Hobart 7000");
    expect(text?.trimEnd()).toBe(
      [
        "Liebe Grüße 🌾",
        "- eins\n- zwei",
        "-- \nYou get this letter because you subscribed to Plain Ground. Unsubscribe:\n" +
          `${SITE_URL}/unsubscribe?token=t.o-k_en`,
        "Plain Ground\n12 Elm Street\nHobart 7000",
      ].join("\n\n"),
    );
  });

  it("is laid out from right to left if the site's language is", async () => {
    const left = (await arrived(await render("> Liebe Grüße"))).html ?? "";
    await updateSite(ownerContext(), { language: "ar" });
    const { html = "" } = await arrived(await render("> مرحبا"));
    await settings();
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toMatch(/<div role="article"[^>]* lang="ar" dir="rtl">/);
    expect(html).toContain('<td align="right"');
    expect(html).not.toContain('<td align="left"');
    expect(html).toContain(".ink blockquote{padding:2px 16px 2px 0");
    expect(left).not.toMatch(/dir=|align="right"|padding:2px 16px 2px 0/);
  });

  it("has the headers of a mailing list, including one-click unsubscribe, for each reader", async () => {
    const { headers } = await arrived(await render("Words."));
    const valueOf = (key: string) => headers.find((header) => header.key === key)?.value;
    expect(valueOf("list-unsubscribe")).toBe(`<${SITE_URL}/api/newsletter/unsubscribe?token=t.o-k_en>`);
    expect(valueOf("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(valueOf("list-id")).toBe("<letters.localhost>");
    expect(valueOf("precedence")).toBe("bulk");
  });

  it("has the hidden preheader, or the beginning of the text", async () => {
    const hidden = (html: string) => /<div style="display:none[^>]*>([^&<]*)/.exec(html)?.[1];
    expect(hidden((await render("Words.")).html)).toBe("What it costs.");
    const { html } = await render(`First words. ${"more ".repeat(60)}`, { preheader: "" });
    expect(hidden(html)).toMatch(/^First words\. (more )+more…$/);
  });

  it("is laid out by tables that screen readers ignore, and has dark colours", async () => {
    const { html } = await render("| a | b |\n| - | - |\n| 1 | 2 |\n\n**[Read](/essays/x)**");
    const tables = [...html.matchAll(/<table[^>]*>/g)].map(([tag]) => tag);
    expect(tables.filter((tag) => !tag.includes('role="presentation"'))).toHaveLength(1);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).toContain("[data-ogsc] .ink");
    expect(html).toContain("max-width:600px");
    expect(html).toMatch(
      /<td class="button" bgcolor="#1F5A4C"[^>]*><a href="http:\/\/localhost:8787\/essays\/x"/,
    );
  });

  it("has absolute addresses, and pictures with size, alt text and a style in case they are not loaded", async () => {
    const { key } = await storedImage();
    const { html, text } = await render(
      `![A hill](/media/${key})\n\n[About](/about) [mail](mailto:a@example.com)`,
    );
    const [picture = ""] = /<img[^>]*>/.exec(html) ?? [];
    expect(picture).toContain(`src="${SITE_URL}/media/${key}"`);
    expect(picture).toContain('alt="A hill"');
    expect(picture).toContain('width="600" height="600"');
    expect(picture).toMatch(/style="[^"]*max-width:100%[^"]*font:italic/);
    expect(picture).not.toMatch(/srcset|loading|sizes/);
    expect(html).toContain(`href="${SITE_URL}/about"`);
    expect(html).toContain('href="mailto:a@example.com"');
    expect(text).toContain(
      `[A hill]\n\nAbout <${SITE_URL}/about> mail <mailto:a@example.com>`.replace(
        "<a@example.com>",
        "<mailto:a@example.com>",
      ),
    );
  });

  it("has each element's style in its attribute, and headings without a gap", async () => {
    const { html } = await render(
      "# One\n\n#### Four\n\n> said\n\n`code`\n\n- [x] done\n\nA note[^1].\n\n[^1]: Below.",
    );
    expect([...html.matchAll(/<h(\d)/g)].map(([, level]) => level)).toEqual(["1", "2", "3", "2"]);
    const [body = ""] = html.split("<h2 ").slice(1, 2);
    for (const tag of ["<blockquote style=", "<code style=", "<li style=", "<ul style="])
      expect(html).toContain(tag);
    expect(html).toContain("☑");
    expect(html).not.toMatch(/<input|href="#|\sid=/);
    expect(body).not.toContain("class=");
  });

  it("is readable as plain text", async () => {
    const { text } = await render(
      [
        "# A heading",
        "Some *soft* **strong** ~~gone~~ `code_with_marks` and 2 * 3 * 4 with under_scores_.",
        "A [named link](https://a.example/x_y), <https://a.example/>, a [reference][r].",
        "> Quoted.",
        "1. First\n2. Second",
        "```\nlet x = 1;\n```",
        "| Rent | Year |\n| --- | --- |\n| 400 | 2026 |",
        "---",
        "![](/media/x.png)",
        "[r]: /there",
      ].join("\n\n"),
    );
    expect(text.split("\n\n-- \n")[0]).toBe(
      [
        "A heading\n=========",
        "Some soft strong gone code_with_marks and 2 * 3 * 4 with under_scores_.",
        `A named link <https://a.example/x_y>, https://a.example/, a reference <${SITE_URL}/there>.`,
        "> Quoted.",
        "1. First\n2. Second",
        "    let x = 1;",
        "| Rent | Year |\n| ---- | ---- |\n| 400  | 2026 |",
        "* * *",
      ].join("\n\n"),
    );
  });

  it("does not change a typed placeholder, and removes a line break from the subject's header", async () => {
    const mail = await render("{{name}} stays.", { subject: "One\r\nBcc: all@example.com" });
    expect(mail.subject).toBe("One Bcc: all@example.com");
    expect(mail.html).toContain("{{name}} stays.");
  });

  it("has a reader's token in the footer and the header only, whatever an author typed", async () => {
    const typed = "{{unsubscribe_token}}";
    await settings({ postalAddress: `12 Elm Street ${typed}` });
    const mail = await render(
      `Words ${typed}\n\n[link](https://evil.example/?t=${typed})\n\n![${typed}](https://evil.example/${typed}.png)`,
      { subject: `Subject ${typed}`, preheader: `Preheader ${typed}` },
    );
    await settings();
    expect(mail.subject).toBe(`Subject ${typed}`);
    expect(mail.text).toContain(`Words ${typed}`);
    expect(mail.text).toContain(`https://evil.example/?t=${typed}`);
    for (const shown of [`Words ${typed}`, `Preheader ${typed}`, `Elm Street ${typed}`])
      expect(mail.html).toContain(shown);
    const parts = (text: string) => text.split("t.o-k_en").length - 1;
    expect([mail.subject, mail.text, mail.html].map(parts)).toEqual([0, 1, 1]);
    expect(mail.text).toContain(`${SITE_URL}/unsubscribe?token=t.o-k_en`);
    expect(mail.html).toContain(`href="${SITE_URL}/unsubscribe?token=t.o-k_en"`);
    expect(Object.entries(mail.headers).filter(([, value]) => value?.includes("t.o-k_en"))).toEqual([
      ["List-Unsubscribe", `<${SITE_URL}/api/newsletter/unsubscribe?token=t.o-k_en>`],
    ]);
  });
});

describe("links of a letter", () => {
  const content = "[a](https://a.example/) [b](/about) [a](https://a.example/) [m](mailto:x@example.com)";

  it("are not changed unless the owner counts them", async () => {
    const { mail, counted } = await renderLetter(ownerContext(), { ...words, content });
    expect(counted.links).toEqual([]);
    expect(mail.html).toContain('href="https://a.example/"');
  });

  it("lead through the counter if the owner counts them, each address once; not unsubscribe links, nor those in the text part", async () => {
    await settings({ countClicks: true });
    const { mail, counted } = await renderLetter(ownerContext(), { ...words, content });
    await settings();
    const { links, mark } = counted;
    expect(links).toEqual(["https://a.example/", `${SITE_URL}/about`]);
    const hrefs = [...mail.html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    expect(hrefs.slice(1, -1)).toEqual([
      `${SITE_URL}/l/7/1-${mark}`,
      `${SITE_URL}/l/7/2-${mark}`,
      `${SITE_URL}/l/7/1-${mark}`,
      "mailto:x@example.com",
    ]);
    expect(hrefs.at(-1)).toContain("/unsubscribe?token=");
    expect(mail.text).toContain("a <https://a.example/>");
    expect(mail.text).not.toContain("/l/7");
  });

  it("are not counted in previews and tests", async () => {
    await settings({ countClicks: true });
    const { html } = await previewLetter(ownerContext(), { subject: "S", preheader: "", content });
    await settings();
    expect(html).not.toContain("/l/");
    expect(html).toContain("/unsubscribe?token=test");
  });
});

describe("the size of a letter", () => {
  it("is that of its HTML, and blocks above 100 kB", async () => {
    const small = await renderUncounted(ownerContext(), words);
    expect(small.mail.html.length).toBeLessThan(8000);
    expect(await blockingFindings(ownerContext(), words)).toEqual([]);
    const large = { ...words, content: "雨".repeat(40_000) };
    const { html, bytes } = await previewLetter(ownerContext(), {
      subject: large.subject,
      preheader: "",
      content: large.content,
    });
    expect(bytes).toBe(new TextEncoder().encode(html).length);
    expect(bytes).toBeGreaterThan(100_000);
    expect(await blockingFindings(ownerContext(), large)).toMatchObject([
      { code: "too-large", level: "blocks" },
    ]);
  });
});

describe("a hostile text", () => {
  const hostile = hostileTexts("window.hit");

  /** Elements that run something in HTML: scripts, frames, event handlers, or script addresses. */
  async function whatRuns(html: string) {
    const found: string[] = [];
    const page = new HTMLRewriter().on("*", {
      element({ tagName, attributes }) {
        if (/^(?:script|iframe|object|embed|svg|math|form|input|base|link|template)$/.test(tagName))
          found.push(tagName);
        for (const [name = "", value = ""] of attributes as unknown as Iterable<string[]>) {
          if (name.startsWith("on")) found.push(name);
          if (/^(?:href|src|action|formaction)$/.test(name) && !/^(?:https?:|mailto:|irc|xmpp)/.test(value))
            found.push(`${name}=${value}`);
        }
      },
    });
    await page.transform(new Response(html)).text();
    return found;
  }

  it("runs nothing in a preview, in any of its fields", async () => {
    expect(hostile.length).toBeGreaterThan(200);
    for (const text of hostile) {
      const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").slice(0, 200);
      const { html } = await previewLetter(ownerContext(), { subject: line, preheader: line, content: text });
      expect(await whatRuns(html), text).toEqual([]);
      expect(html.match(/<style>/g), text).toHaveLength(1);
      expect(html.match(/<h1/g), text).toHaveLength(line.trim() === "" ? 0 : 1);
    }
  });
});
