import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { addLoaderData } from "#site/document/loader-data.ts";

const texts = ["</script><!--<script>", "`${x}` \\` $\\{ \\\\", 'a\n\r"b" \u2028\u0000\ud800 c\'d'];

test("adds the loaders' data in one script at the end of the body, which no text of it ends or changes", () => {
  const data = `${JSON.stringify(texts)}\n`;
  const page = addLoaderData("<html><body><p>Hi</p></body></html>", data, "abc");
  const [, script = ""] = /^<html><body><p>Hi<\/p><script nonce="abc">(.*)<\/script><\/body><\/html>$/s.exec(
    page,
  )!;
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
  expect(() => addLoaderData("<html><body></body></html>\n", "[]", "abc")).toThrow(/no end/);
});
