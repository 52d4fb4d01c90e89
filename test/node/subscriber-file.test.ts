import assert from "node:assert/strict";
import { BlobReader, BlobWriter, ZipWriter } from "@zip.js/zip.js";
import { describe, test } from "vitest";
import { encodingOf, NotText, textOf } from "../../src/admin/moving-in/file-text.ts";
import { MAX_FILE, openFile } from "../../src/admin/moving-in/subscribers/list-file.ts";
import { guessDelimiter, recordsOf, type FileRecord } from "../../src/admin/moving-in/subscribers/records.ts";
import { openList, statesIn, survey, utf16 } from "../support/subscriber-lists.ts";
import { sweepsAll } from "../support/sweeps.ts";

const textIn = async (file: Blob) => {
  let text = "";
  for await (const part of textOf(file, await encodingOf(file))) text += part.text;
  return text;
};

describe("the encoding of a file", () => {
  const text = "email,name\njürgen@example.com,Jürgen Müller\n";
  test.each([
    ["utf-8", new Blob([text])],
    ["utf-8", new Blob(["\ufeff", text])],
    ["utf-16le", utf16(text, true, true)],
    ["utf-16be", utf16(text, false, true)],
    ["utf-16le", utf16(text, true, false)],
    ["utf-16be", utf16(text, false, false)],
    ["windows-1252", new Blob([Buffer.from(text, "latin1")])],
  ])("is detected: %s", async (encoding, file) => {
    assert.equal(await encodingOf(file), encoding);
    assert.equal(await textIn(file), text);
  });

  test("is that of the whole file: a Latin-1 letter may occur late", async () => {
    const file = new Blob(["a@example.com\n".repeat(50_000), Buffer.from("jürgen\n", "latin1")]);
    assert.equal(await encodingOf(file), "windows-1252");
  });

  test("is unknown for a spreadsheet or a picture", async () => {
    for (const bytes of [
      [0x50, 0x4b, 3, 4, 20, 0],
      [0xff, 0xd8, 0, 0, 1],
    ]) {
      await assert.rejects(encodingOf(new Blob([new Uint8Array(bytes)])), NotText);
    }
  });
});

/** The records of a text that arrives in parts of this many characters. */
async function recordsIn(text: string, size = 1000) {
  async function* parts() {
    for (let at = 0; at < text.length; at += size) {
      yield { text: text.slice(at, at + size), bytes: Math.min(text.length, at + size) };
    }
  }
  const all: FileRecord[] = [];
  for await (const { records } of recordsOf(parts(), guessDelimiter(text.slice(0, 1000))))
    all.push(...records);
  return all;
}

describe("the records of a file", () => {
  const text =
    'email,name\r\n"a@x.com","A, B"\r\n"open,b@x.com\r\nc@x.com,"C"\r\n"d@x.com","two\r\nlines"\r\n\r\n' +
    'e@x.com,E "quoted" in\r\nf@x.com,"open';
  const records = [
    { line: 1, cells: ["email", "name"] },
    { line: 2, cells: ["a@x.com", "A, B"] },
    { line: 3, broken: '"open,b@x.com' },
    { line: 4, cells: ["c@x.com", "C"] },
    { line: 5, cells: ["d@x.com", "two\nlines"] },
    { line: 8, cells: ["e@x.com", 'E "quoted" in'] },
    { line: 9, broken: 'f@x.com,"open' },
  ];

  test("lose at most the line whose quotation marks are broken, wherever the parts end", async () => {
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(await recordsIn(text, size), records, `parts of ${size}`);
    }
  });

  test("are separated by semicolons, tabs and old line breaks", async () => {
    assert.deepEqual(await recordsIn("email;name\ra@x.com;A\r"), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
    assert.deepEqual(await recordsIn("email\tname\na@x.com\tA\n", 3), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
  });

  test("skip an endless line, and continue after it", async () => {
    const endless = `a@x.com,A\n${"x".repeat(500_000)}\nb@x.com,B\n`;
    const found = await recordsIn(endless, 10_000);
    assert.deepEqual(
      found.map((record) => ("cells" in record ? record.cells[0] : "broken")),
      ["a@x.com", "broken", "b@x.com"],
    );
    assert.deepEqual(
      found.map(({ line }) => line),
      [1, 2, 3],
    );
  });
});

describe("a file that is not a list", () => {
  const errorOf = async (content: BlobPart, name = "list.csv") => {
    const opened = await openFile(new File([content], name));
    return "error" in opened ? opened.error : null;
  };
  const zipped = async (files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
    const writer = new ZipWriter(new BlobWriter());
    for (const [name, content] of Object.entries(files))
      await writer.add(name, new BlobReader(new Blob([content])));
    return await writer.close();
  };

  test.each([
    ["a picture (PNG)", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
    ["a PDF", "%PDF-1.7\n%âã"],
    ["an old Excel or Word file", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ["a JSON file", '[{"email": "a@x.com"}]'],
    ["a web page (HTML)", "<!DOCTYPE html>\n<table><tr><td>a@x.com</td></tr></table>"],
    ["an XML file", '<?xml version="1.0"?><members/>'],
    ["an address book (vCard)", "BEGIN:VCARD\nEMAIL:a@x.com"],
    ["a file without text", new Uint8Array([1, 2, 0, 0, 9, 0, 0, 4])],
  ])("is refused with a message: %s", async (name, content) => {
    assert.match((await errorOf(content)) ?? "", new RegExp(`it’s ${name.replaceAll(/[()]/g, "\\$&")}`));
  });

  test("is refused with a message if it is packed: a spreadsheet, a zip without lists, half a zip", async () => {
    const sheet = await zipped({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" });
    assert.match((await errorOf(sheet)) ?? "", /an Excel file \(XLSX\).*choose “Save as”/);
    assert.match((await errorOf(await zipped({ "a.html": "<p>" }))) ?? "", /no CSV file/);
    assert.match(
      (await errorOf(await zipped({ "a.csv": "title\nA\n" }))) ?? "",
      /No CSV file in this zip has people/,
    );
    const list = await zipped({ "a.csv": `email\n${"a@x.com\n".repeat(1000)}` });
    assert.match((await errorOf(list.slice(0, list.size / 2))) ?? "", /This zip can’t be read/);
  });

  test("is not unpacked if it would fill the memory", async () => {
    const bomb = await zipped({ "a.csv": new Uint8Array(MAX_FILE + 1) });
    assert.ok(bomb.size < MAX_FILE / 100);
    assert.match((await errorOf(bomb)) ?? "", /far larger than any such export/);
  });

  test("is refused if it is empty, or has no people", async () => {
    assert.match((await errorOf("")) ?? "", /This file is empty/);
    assert.match((await errorOf("email,name\n")) ?? "", /nothing below its first line/);
    await assert.rejects(
      survey(await openList("name,city\nAda,Perth\n")),
      /No column of this file has email addresses/,
    );
  });

  test("may be a zip of lists, without the files about opened letters", async () => {
    const email = "email,status\na@x.com,active\n";
    const zip = await zipped({
      "subscribed_1.csv": email,
      "lists/unsubscribed_1.csv": email,
      "posts.csv": "post_id,title\n1,A\n",
      "posts/1.opens.csv": email,
      "__MACOSX/._subscribed_1.csv": email,
    });
    const opened = await openFile(new File([zip], "export.zip"));
    assert.deepEqual("lists" in opened && opened.lists.map(({ name }) => name), [
      "subscribed_1.csv",
      "unsubscribed_1.csv",
    ]);
  });

  test("of many lines is counted, each person once", async () => {
    const people = sweepsAll ? 150_000 : 15_000;
    const lines = Array.from(
      { length: people + 5000 },
      (_, index) => `n${index % people}@x.example,subscribed`,
    );
    const { states } = await survey(await openList(`email,status\n${lines.join("\n")}\n`));
    assert.equal(states.active.count, people);
  });

  test("is opened if it is a zip of one list", async () => {
    const zip = await zipped({ "export/list.csv": "email,status\na@x.com,active\n" });
    const opened = await openFile(new File([zip], "export.zip"));
    assert.equal("list" in opened && opened.list.file.name, "list.csv");
  });

  test("loses only the line at which it is truncated", async () => {
    const states = await statesIn(
      await openList("email,status,unsubscribed_at\na@x.com,active,\nb@x.com,active"),
    );
    assert.deepEqual(states, { "a@x.com": "active", "b@x.com": "left out" });
  });
});

test.each([
  ["UTF-8", (text: string) => text],
  ["UTF-8 with a mark", (text: string) => `\ufeff${text}`],
  ["UTF-16", (text: string) => utf16(text, true, true)],
  ["Windows-1252", (text: string) => Buffer.from(text, "latin1")],
])("a list in %s is read", async (_encoding, encoded) => {
  const text = "E-Mail;Name;Status\r\na@x.com;Jürgen;bestätigt\r\nb@x.com;Zoë;gekündigt\r\n";
  const states = await statesIn(await openList(encoded(text)));
  assert.deepEqual(states, { "a@x.com": "active", "b@x.com": "unsubscribed" });
});
