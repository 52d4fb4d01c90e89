import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
// What React Router itself writes and reads with; it exports neither, and so has no types for them.
// @ts-expect-error
import * as turboStream from "../../node_modules/react-router/dist/production/vendor/turbo-stream-v2/turbo-stream.js";
import { handOff } from "../../src/handoff.ts";

const long = `<p>${"Nobody is paid to notice. ".repeat(20)}</p>`;

const script = new URL("../../src/inline/hand-over.ts", import.meta.url);
const handOver = stripTypeScriptTypes(readFileSync(script, "utf8"));

/** A page with what the loaders said. */
function pageWith(loaderData: unknown, html = pageOf()) {
  const data = { loaderData, errors: null };
  return handOff(html, data, () => new Response(turboStream.encode(data)).text());
}

/** What React Router reads when a browser runs the script in a page with these texts. */
async function handedOver(page: string, texts: string[] = []) {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const streamController = {
        enqueue: (chunk: string) => controller.enqueue(new TextEncoder().encode(chunk)),
        close: () => controller.close(),
      };
      runInNewContext(handOver, {
        window: { __reactRouterContext: { streamController } },
        document: {
          querySelector: () => ({ textContent: inside(page) }),
          querySelectorAll: () => texts.map((innerHTML) => ({ innerHTML })),
        },
      });
    },
  });
  const { value, done } = (await turboStream.decode(stream)) as {
    value: { loaderData: unknown };
    done: Promise<void>;
  };
  await done;
  return value.loaderData;
}

const inside = (page: string) =>
  /<script type="application\/json" data-handoff="">(.*?)<\/script>/s.exec(page)?.[1] ?? "";

const pageOf = (content = "") => `<head></head><body>${content}</body>`;

describe("the data that React is given", () => {
  it("is what the loaders said, whatever JSON can say", async () => {
    const said = {
      site: { name: "Plain “Ground”", year: 2026, height: -0.5, isOpen: false, next: null, trail: [] },
      list: [0, "", null, [1, ["two"]], { _1: 2, __proto: "x", "": "y" }],
      same: long,
      again: long,
    };
    const page = await pageWith(said);
    assert.match(page, /"year":2026,/);
    assert.deepEqual(await handedOver(page), said);
  });

  it("leaves out what is undefined", async () => {
    const page = await pageWith({ a: undefined, b: 1 });
    assert.deepEqual(await handedOver(page), { b: 1 });
  });

  it("is what the loaders said, also where JSON cannot say it", async () => {
    for (const said of [
      { at: new Date(0) },
      [new Map([["a", 1]])],
      { height: Number.NaN },
      [undefined, -0],
      [new Error("broken")],
      ["D", 0, Symbol.for("a")],
      { later: Promise.resolve("now") },
    ]) {
      const given = await handedOver(await pageWith(said));
      assert.deepEqual(await settled(given), await settled(said));
    }
  });

  it("holds no text that stands in the page", async () => {
    const page = await pageWith({ text: long }, pageOf(`<main><div class="reading">${long}</div></main>`));
    assert.doesNotMatch(inside(page), /Nobody/);
    assert.deepEqual(await handedOver(page, [long]), { text: long });
  });

  it("finds each text where it stands", async () => {
    const other = long.replaceAll("paid", "asked");
    const html = `<div class="reading wide">${long}</div><p class="reading">short</p><div id="b" class="reading">${other}</div>`;
    const page = await pageWith([other, long], pageOf(html));
    assert.deepEqual(await handedOver(page, [long, "short", other]), [other, long]);
  });

  it("keeps a text of which the page shows a part, or something more", async () => {
    for (const html of [
      `<div class="reading">${long.slice(0, 300)}</div>`,
      `<div class="reading">${long}<p>More</p></div>`,
    ]) {
      assert.deepEqual(await handedOver(await pageWith([long], pageOf(html))), [long]);
    }
  });

  it("is not misled by a text that speaks of the class", async () => {
    const said = { html: long };
    const page = await pageWith(
      said,
      pageOf(`<p>Say class="reading"> of it.</p><div class="reading">${long}</div>`),
    );
    assert.match(page, /"html":{"":0}/);
    assert.deepEqual(await handedOver(page, [long]), said);
  });

  it("keeps plain text, which a browser would give back as HTML", async () => {
    const words = `${"Nobody is paid\u00a0to notice. ".repeat(20)}`;
    const page = await pageWith([words], pageOf(`<p class="reading">${words}</p>`));
    assert.deepEqual(await handedOver(page), [words]);
  });

  it("stands where the page wants it, or else in the head", async () => {
    const place = `<script type="application/json" data-handoff=""></script>`;
    assert.match(
      await pageWith(1, pageOf(`<nav></nav>${place}<main></main>`)),
      /<\/nav><script .*<\/script><main>/,
    );
    assert.match(await pageWith(1, pageOf("<nav></nav>")), /<head><script .*<\/script><\/head>/);
  });

  it("cannot end the element that it is in", async () => {
    const said = ["</script><!--<script>alert(1)</script>", "\u2028"];
    const page = await pageWith(said);
    assert.doesNotMatch(inside(page), /</);
    assert.deepEqual(await handedOver(page), said);
  });
});

/** With the promises in it fulfilled. */
async function settled(value: unknown) {
  const { later } = (value ?? {}) as { later?: unknown };
  return later instanceof Promise ? { later: await later } : value;
}
