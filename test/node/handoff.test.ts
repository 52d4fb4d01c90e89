import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { handOff } from "../../src/handoff.ts";

const long = `<p>${"Nobody is paid to notice. ".repeat(20)}</p>`;

type Handoff = ReturnType<typeof handOff>;

/** What React Router's stream is given when a browser runs the script in that page. */
function handedOver({ data, script }: Handoff, texts: string[]) {
  const chunks: string[] = [];
  const streamController = {
    enqueue: (chunk: string) => chunks.push(chunk),
    close: () => chunks.push("end"),
  };
  runInNewContext(inside(script), {
    window: { __reactRouterContext: { streamController } },
    document: {
      querySelector: () => ({ textContent: inside(data) }),
      querySelectorAll: () => texts.map((innerHTML) => ({ innerHTML })),
    },
  });
  return chunks;
}

const inside = (element: string) => element.replace(/^<script[^>]*>|<\/script>$/g, "");

const dataOf = (...values: unknown[]) => `${JSON.stringify(values)}\nP1:[]\n`;

describe("the data that React is given", () => {
  it("is what the loaders said, while a text that stands in the page is sent there alone", () => {
    const data = dataOf({ _1: 2 }, "text", long, "other");
    const handoff = handOff(data, `<main><div class="reading">${long}</div></main>`);
    assert.doesNotMatch(handoff.data + handoff.script, /Nobody/);
    assert.deepEqual(handedOver(handoff, [long]), [data, "end"]);
  });

  it("finds each text where it stands", () => {
    const other = long.replaceAll("paid", "asked");
    const data = dataOf(other, long);
    const html = `<div class="reading wide">${long}</div><p class="reading">short</p><div id="b" class="reading">${other}</div>`;
    assert.deepEqual(handedOver(handOff(data, html), [long, "short", other]), [data, "end"]);
  });

  it("keeps a text of which the page shows a part, or something more", () => {
    for (const html of [
      `<div class="reading">${long.slice(0, 300)}</div>`,
      `<div class="reading">${long}<p>More</p></div>`,
    ]) {
      const handoff = handOff(dataOf(long), html);
      assert.deepEqual(handedOver(handoff, []), [dataOf(long), "end"]);
    }
  });

  it("keeps plain text, which a browser would give back as HTML", () => {
    const words = `${"Nobody is paid\u00a0to notice. ".repeat(20)}`;
    const handoff = handOff(dataOf(words), `<p class="reading">${words}</p>`);
    assert.deepEqual(handedOver(handoff, []), [dataOf(words), "end"]);
  });

  it("cannot end the element that it is in", () => {
    const data = dataOf("</script><!--<script>alert(1)</script>", "\u2028");
    const handoff = handOff(data, "");
    assert.doesNotMatch(inside(handoff.data), /</);
    assert.deepEqual(handedOver(handoff, []), [data, "end"]);
  });
});
