import * as fc from "fast-check";
import { expect, test } from "vitest";
import { References, withReferences } from "#worker/imports/references.ts";
import { processorTime } from "../support/processor-time.ts";
import "../support/property-seed.ts";

const mend = (parts: string[]) => {
  const references = new References();
  return parts.map((part) => references.mend(part)).join("") + references.mend("", true);
};

// https://www.w3.org/TR/xml/#syntax
test.each([
  ["https://a.example/?a=1&b=2", "https://a.example/?a=1&amp;b=2"],
  ["Q & A, R&B, &", "Q &amp; A, R&amp;B, &amp;"],
  ["&amp; &lt; &#233; &#xe9; &nbsp;", "&amp; &lt; &#233; &#xe9; &nbsp;"],
  [
    "<![CDATA[a & b]]> & <![CDATA[c && d]]]]><![CDATA[>&]]>",
    "<![CDATA[a & b]]> &amp; <![CDATA[c && d]]]]><![CDATA[>&]]>",
  ],
  ["&#; &; &é;", "&amp;#; &amp;; &amp;é;"],
])("%s becomes %s", (given, wanted) => expect(mend([given])).toBe(wanted));

test("a text means the same wherever its parts end", () => {
  const piece = fc.constantFrom("&", "a", "amp;", "<![CDATA[", "]]>", "]", "<", " ", "#12;", "lt");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(200)), (pieces, cuts) => {
      const text = pieces.join("");
      const ends = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
      const parts = ends.slice(1).map((end, at) => text.slice(ends[at], end));
      expect(mend(parts)).toBe(mend([text]));
    }),
  );
});

test("a whole text is fixed like its parts", () => {
  const text = "<![CDATA[a & b]]> & &amp; &#233; Q&A ".repeat(30_000);
  expect(withReferences(text) === mend([text])).toBe(true);
});

// Each was searched to the end of the text for the next &, which took minutes.
test("millions of sections without an & after them, and millions of &, are fixed", () => {
  const sections = "<![CDATA[]]>".repeat(1_300_000);
  expect(mend([sections]) === sections).toBe(true);
  expect(withReferences(sections) === sections).toBe(true);
  expect(withReferences("&".repeat(4_000_000)) === "&amp;".repeat(4_000_000)).toBe(true);
});

test("five megabytes of references are read in linear time", () => {
  const part = "&lt;p&gt;Words &amp; more&lt;/p&gt;".repeat(15_000);
  const milliseconds = processorTime(() =>
    expect(mend(Array<string>(10).fill(part))).toHaveLength(part.length * 10),
  );
  expect(milliseconds).toBeLessThan(20_000);
});
