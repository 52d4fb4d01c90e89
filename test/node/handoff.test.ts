import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { handoffScript } from "../../src/handoff.ts";

const long = `<p>${"Nobody is paid to notice. ".repeat(20)}</p>`;

/** What React Router's stream is given when a browser runs the script in that page. */
function handedOver(script: string, texts: string[]) {
  const chunks: string[] = [];
  const streamController = {
    enqueue: (chunk: string) => chunks.push(chunk),
    close: () => chunks.push("end"),
  };
  runInNewContext(script.replace(/^<script>|<\/script>$/g, ""), {
    window: { __reactRouterContext: { streamController } },
    document: { querySelectorAll: () => texts.map((innerHTML) => ({ innerHTML })) },
  });
  return chunks;
}

const dataOf = (...values: unknown[]) => `${JSON.stringify(values)}\nP1:[]\n`;

describe("the data that React is given", () => {
  it("is what the loaders said, while a text that stands in the page is sent there alone", () => {
    const data = dataOf({ _1: 2 }, "text", long, "other");
    const script = handoffScript(data, `<main><div class="reading">${long}</div></main>`);
    assert.doesNotMatch(script, /Nobody/);
    assert.deepEqual(handedOver(script, [long]), [data, "end"]);
  });

  it("finds each text where it stands", () => {
    const other = long.replaceAll("paid", "asked");
    const data = dataOf(other, long);
    const html = `<div class="reading wide">${long}</div><p class="reading">short</p><div id="b" class="reading">${other}</div>`;
    assert.deepEqual(handedOver(handoffScript(data, html), [long, "short", other]), [data, "end"]);
  });

  it("keeps a text of which the page shows a part, or something more", () => {
    for (const html of [
      `<div class="reading">${long.slice(0, 300)}</div>`,
      `<div class="reading">${long}<p>More</p></div>`,
    ]) {
      const script = handoffScript(dataOf(long), html);
      assert.deepEqual(handedOver(script, []), [dataOf(long), "end"]);
    }
  });

  it("keeps plain text, which a browser would give back as HTML", () => {
    const words = `${"Nobody is paid\u00a0to notice. ".repeat(20)}`;
    const script = handoffScript(dataOf(words), `<p class="reading">${words}</p>`);
    assert.deepEqual(handedOver(script, []), [dataOf(words), "end"]);
  });

  it("cannot end the script that it is in", () => {
    const data = dataOf("</script><script>alert(1)</script>", "\u2028");
    const script = handoffScript(data, "");
    assert.equal(script.indexOf("</script>"), script.length - "</script>".length);
    assert.deepEqual(handedOver(script, []), [data, "end"]);
  });
});
