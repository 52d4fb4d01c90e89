import { describe, expect, it } from "vitest";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";
import { aPressItem } from "./support/factories.ts";
import { ownerContext } from "./support/client.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { open } from "./support/pages.ts";

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe("a text within a page", () => {
  it("has headings below the page's own, whatever it belongs to", async () => {
    expect(renderMarkdown("# One\n\n> # Two\n\n## Three").html).toMatch(/<h2>One.*<h2>Two.*<h2>Three/s);
    await createPressItem(ownerContext(), aPressItem({ content: "# The news" }));
    const { html } = await open("/media");
    expect(html).toContain("<h2>The news</h2>");
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it("shares no footnote's id with another, and its links lead to its own", () => {
    const texts = ["One.[^1]\n\n[^1]: A source.", "Two.[^1]\n\n[^1]: Another."].map(
      (text) => renderMarkdown(text).html,
    );
    const ids = texts.flatMap(idsIn);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    for (const html of texts) {
      const targets = [...html.matchAll(/(?: href="#|aria-describedby=")([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(targets)).toEqual(new Set(idsIn(html)));
    }
  });

  it("has the same footnotes each time, and does not change links to other anchors of the page", () => {
    const text = "One.[^1] [Subscribe](#newsletter)\n\n[^1]: A source.";
    expect(renderMarkdown(text)).toEqual(renderMarkdown(text));
    expect(renderMarkdown(text).html).toContain('href="#newsletter"');
  });

  it("lets code and tables be scrolled by keyboard in every browser", () => {
    const { html } = renderMarkdown("```\nlong\n```\n\n| a |\n|---|\n| b |");
    expect([...html.matchAll(/<(\w+) tabindex="0">/g)].map(([, name]) => name)).toEqual(["pre", "table"]);
  });

  it("names the box of each task by its words, without the list below them", () => {
    const box = (isDone = false) => `<input type="checkbox"${isDone ? " checked" : ""} disabled>`;
    const { html, text } = renderMarkdown("- [ ] Write *soon*\n  - [x] Read\n- [x] Post");
    expect(html).toContain(`<label>${box()} Write <em>soon</em>\n</label><ul`);
    expect(html).toContain(`<label>${box(true)} Read</label></li>`);
    expect(html).toContain(`<label>${box(true)} Post</label></li>`);
    expect(text).toMatch(/Write soon\s+Read\s+Post/);
    expect(renderMarkdown("- [ ] Write\n\n  Below\n\n- [x] Post").html).toContain(
      `<p><label>${box()} Write</label></p>\n<p>Below</p>`,
    );
  });
});
