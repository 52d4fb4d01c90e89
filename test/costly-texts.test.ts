import { describe, expect, test } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { NewArticle } from "#worker/articles/contract.ts";
import { NewPressItem } from "#worker/press/contract.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { errorOf } from "./support/accounts.ts";
import { fetchSite, ownerContext, signedIn } from "./support/client.ts";
import { aPressItem } from "./support/factories.ts";

const quotes = ">".repeat(50_000);
const { cookie } = await signedIn("editor");

const post = (fields: object) =>
  fetchSite("/api/admin/episodes", {
    method: "POST",
    headers: { cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ title: "Costly", ...fields }),
  });

describe("a text that would take too long is refused at its field", () => {
  test.each([
    ["quotes within quotes", quotes],
    ["footnotes within footnotes", "[^a]: ".repeat(16_000)],
    ["openers of links", "[a](".repeat(24_000)],
    ["lists within lists", "- ".repeat(40_000)],
    ["emphasis", "*a **".repeat(20_000)],
    ["angle brackets", "<".repeat(100_000)],
    ["rows", "|a|b|\n|-|-|\n" + "|a|b|\n".repeat(15_000)],
  ])("show notes of %s", async (_what, showNotes) => {
    const response = await post({ showNotes });
    expect(response.status).toBe(422);
    const { code, field, message } = (await errorOf(response)) as Record<string, string>;
    expect([code, field]).toEqual(["invalid", "showNotes"]);
    expect(message).toMatch(/^The text has too many levels or links near “.{1,30}”. Simplify it\.$/);
  });

  test("a too long text gets the error about its length first", async () => {
    const response = await post({ showNotes: ">".repeat(100_001) });
    expect(await errorOf(response)).toMatchObject({ message: "Show notes have at most 100,000 characters." });
  });

  test("articles, press items and pages as well", async () => {
    const parsed = NewArticle.safeParse({ title: "Costly", content: quotes });
    expect(parsed.error?.issues[0]?.path).toEqual(["content"]);
    expect(NewPressItem.safeParse({ ...aPressItem(), content: quotes }).error?.issues[0]?.path).toEqual([
      "content",
    ]);
    const page = { ...pageDefaults.mission, statement: { markdown: quotes } };
    await expect(updatePage(ownerContext(), "mission", page)).rejects.toMatchObject({
      code: "invalid",
      field: "statement.markdown",
    });
  });

  test("the renderer refuses it for callers without the field's contract", async () => {
    const refused = createArticle(ownerContext(), { title: "Costly", content: quotes });
    await expect(refused).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("a transcript whose line has too many tags is refused", () => {
  const line = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;

  test.each([
    ["nested", line("<b>".repeat(100_000))],
    ["voices", line("<v A>x".repeat(90_000))],
    ["one after the other", line("<b>x</b>".repeat(70_000))],
    ["of SRT", `1\n00:00:01,000 --> 00:00:02,000\n${"<b>".repeat(100_000)}\n`],
  ])("a transcript with too many tags in a line is refused: %s", async (_what, transcript) => {
    const response = await post({ transcript });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toEqual({
      code: "invalid",
      field: "transcript",
      message: expect.stringMatching(/^Line [23]: there are more than 200 tags\. Simplify it\./),
    });
  });

  test("but one with 200 is accepted", async () => {
    expect((await post({ transcript: line(`${"<b>".repeat(200)}Hello`) })).status).toBe(201);
  });
});
