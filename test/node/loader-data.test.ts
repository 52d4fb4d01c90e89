import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { loaderDataScript } from "#site/document/loader-data.ts";
import { takeScripts } from "#site/document/page-scripts.ts";

const texts = ["</script><!--<script>", "`${x}` \\` $\\{ \\\\", 'a\n\r"b" \u2028\u0000\ud800 c\'d'];

test("adds the loaders' data in one script at the end of the body, which no text of it ends or changes", () => {
  const data = `${JSON.stringify(texts)}\n`;
  const last = loaderDataScript(data);
  const { page, scripts } = takeScripts("<html><body><p>Hi</p></body></html>", "abc", { last });
  const [, script = ""] = /^<html><body><p>Hi<\/p><script>(.*)<\/script><\/body><\/html>$/s.exec(page)!;
  expect(scripts).toEqual([script]);
  expect(script).not.toContain("<");
  const received: string[] = [];
  const streamController = {
    enqueue: (given: string) => received.push(given),
    close: () => received.push("end"),
  };
  runInNewContext(script, { window: { __reactRouterContext: { streamController } } });
  expect(received).toEqual([data, "end"]);
  expect(JSON.parse(received[0]!)).toEqual(texts);
});

test("does not add the loaders' data to a page with another end", () => {
  const last = loaderDataScript("[]");
  expect(() => takeScripts("<html><body></body></html>\n", "abc", { last })).toThrow(/no end/);
});
