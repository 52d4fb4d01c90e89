import { expect, type Page } from "@playwright/test";
import type { HttpServer } from "../support/http-server.ts";
import { startTextModelServer } from "../support/text-model-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { storeSpoken } from "./support/spoken-file.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

let site: Site;
let page: Page;
let server: HttpServer;
/** A draft with a recording of five minutes, and its transcript. */
let episode: number;

const SECONDS = 300;
const RECORDING = "6e0c7f5e-2f4e-4c0a-9a51-0d3f6f0f5a02";
const panel = () => page.getByRole("region", { name: "Proposals from the transcript", exact: true });
const press = (name: string) => panel().getByRole("button", { name, exact: true }).click();
const confirm = (name: string) =>
  page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
const open = (id = episode) => openHydrated(page, `${site.url}/admin/podcast/${id}`);
const run = (statement: string, ...values: unknown[]) =>
  site.env.DB.prepare(statement)
    .bind(...values)
    .run();
const valuesOf = async () =>
  (
    (await (await page.request.get(`${site.url}/api/admin/episodes/${episode}`)).json()) as {
      values: Record<string, unknown>;
    }
  ).values;

const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
const transcript = `WEBVTT\n\n${Array.from(
  { length: 60 },
  (_, n) =>
    `${clock(n * 5)} --> ${clock(n * 5 + 4.8)}\nLine ${n} is about subject${n} and thing${n} as we know.\n`,
).join("\n")}`;

/** A run in a state that only a model would bring about. */
async function known(state: string, columns: Record<string, unknown> = {}, contents: object[] = []) {
  await run("delete from proposal_runs where episode_id = ?", episode);
  const row = {
    id: 900 + Math.floor(Math.random() * 1e6),
    episode_id: episode,
    state,
    step: 3,
    next: 30,
    service: "Workers AI",
    model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    input_price: 0.293,
    output_price: 2.253,
    input_tokens: 12_000,
    output_tokens: 3000,
    busy_answers: 0,
    started_at: 1764460800000,
    recording: RECORDING,
    found: JSON.stringify({
      points: [],
      chapters: [],
      soundbites: [],
      offered: 0,
      leftOut: { passage: 0, link: 0, form: 0, number: 0 },
    }),
    ...columns,
  };
  const names = Object.keys(row);
  await run(
    `insert into proposal_runs (${names.join()}, cues) select ${names.map(() => "?").join()}, cues from episodes where id = ?`,
    ...Object.values(row),
    episode,
  );
  for (const content of contents)
    await run(
      "insert into proposals (run_id, state, content) values (?, 'open', ?)",
      row.id,
      JSON.stringify(content),
    );
  await open();
}

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  server = await startTextModelServer();
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" } });
  await storeSpoken(site, RECORDING, SECONDS);
  const context = await browser.newContext({
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  page = await context.newPage();
  await signInAsOwner(page, site);
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    headers: { Origin: site.url },
    data: { title: "Untitled", audioFileId: RECORDING },
  });
  expect(created.status()).toBe(201);
  episode = ((await created.json()) as { id: number }).id;
});
test.afterAll(async () => {
  await site?.stop();
  server?.stop();
});

test("the owner chooses what proposes, and stores and removes its key", async () => {
  await open();
  await expect(panel()).toContainText("An admin chooses one under Settings → Transcripts.");
  await openHydrated(page, `${site.url}/admin/settings/transcripts`);
  await page.getByLabel("Proposed by").selectOption("Workers AI");
  await expect(page.getByText("its deployment needs the binding AI")).toBeVisible();
  await page.getByLabel("Proposed by").selectOption("A server with OpenAI’s API");
  await page.getByRole("button", { name: "Save proposals" }).click();
  await expect(page.getByLabel("Address for proposals")).toHaveAccessibleDescription(
    /^Enter the address of the server\./,
  );
  await page.getByLabel("Address for proposals").fill(`http://127.0.0.1:${server.port}/ok`);
  await page.getByLabel("Text model").fill("llama-3");
  await page.getByLabel("Price of a million tokens sent").fill("much");
  await page.getByRole("button", { name: "Save proposals" }).click();
  await expect(page.getByLabel("Price of a million tokens sent")).toHaveAccessibleDescription(
    /^Enter dollars a million tokens/,
  );
  await page.getByLabel("Price of a million tokens sent").fill("2");
  await page.getByLabel("Price of a million tokens received").fill("10");
  await page.getByRole("button", { name: "Save proposals" }).click();
  await expectToast(page, "Settings saved successfully!");
  await page.getByRole("textbox", { name: "Key for proposals" }).fill("a-secret-key");
  await page.getByRole("button", { name: "Save the key for proposals" }).click();
  await expectToast(page, "Key saved");
  await expect(page.getByText("A key for proposals is stored.")).toBeVisible();
  expect(await page.content()).not.toContain("a-secret-key");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Remove the key for proposals" }).click();
  await expectToast(page, "Key removed");
  await expect(page.getByText("No key for proposals is stored.")).toBeVisible();
});

test("proposals are made from the saved transcript, and one by one taken into the form", async () => {
  await open();
  await expect(panel()).toContainText("Add a transcript with times and save it first.");
  const saved = await page.request.patch(`${site.url}/api/admin/episodes/${episode}`, {
    headers: { Origin: site.url },
    data: { transcript },
  });
  expect(saved.status()).toBe(200);
  await open();
  await expect(panel()).toContainText(
    /The saved transcript will be sent: about [\d,]+ tokens with the answers, which cost about \$0\.0\d\./,
  );
  await expect(panel()).toContainText("By llama-3 (127.0.0.1:");
  await expectNoAxeFindings(page);
  const before = await valuesOf();
  await press("Propose from the transcript");
  await expect(panel()).toContainText("Generated by llama-3");
  await expect(panel().getByRole("group", { name: "Titles" })).toContainText("On hearing each other");
  await expect(panel()).toContainText("2,200 tokens were sent and received, which cost less than $0.01.");
  // Two chapters are fewer than three.
  await expect(panel()).toContainText(
    "2 of 10 proposals were left out: they are too many, or fewer than three chapters (2).",
  );
  expect(await valuesOf()).toEqual(before);
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
  await expectNoAxeFindings(page);

  // The title is there already: both are shown.
  await press("Use: Titles 1");
  const dialog = page.getByRole("alertdialog", { name: "Replace what the form has?" });
  await expect(dialog).toContainText("Untitled");
  await expect(dialog).toContainText("On hearing each other");
  await expectNoAxeFindings(page);
  await confirm("Cancel");
  await expect(page.getByLabel("Title", { exact: true }).first()).toHaveValue("Untitled");
  await press("Use: Titles 2");
  await confirm("Replace");
  await expect(page.getByLabel("Title", { exact: true }).first()).toHaveValue("What a voice carries");
  await expect(panel()).toContainText("The title is in the form. Read it, then save the episode.");
  await expect(panel().getByRole("group", { name: "Titles" })).toContainText("Used");
  await press("Use: Description 1");
  await expect(panel()).toContainText("The description is in the form.");
  await press("Use: Show notes 1");
  await expect(panel()).toContainText("The show notes are in the form.");
  await press("Use: Soundbites 1");
  await expect(panel()).toContainText("The soundbite is in the form.");
  await press("Use: Message for networks 1");
  await expect(panel()).toContainText("The message is saved for sharing");
  await press("Copy: Message for networks 1");
  await expectToast(page, "Message copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "We spoke about listening. Have a look.",
  );
  await press("Dismiss: Titles 1");
  await expect(panel()).toContainText("Dismissed: On hearing each other");
  await press("Take back: Titles 1");
  await expect(panel().getByRole("button", { name: "Use: Titles 1" })).toBeVisible();

  await panel().getByText("Based on the passage at 1:30").click();
  await press("Listen from 1:30: passage 1 of Soundbites 1");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();

  const marks = page.getByRole("group", { name: "Written by a model" });
  await expect(marks.getByRole("listitem")).toHaveText([
    /^Title, by llama-3/,
    /^Description, by llama-3/,
    /^Show notes, by llama-3/,
    /^Soundbites, by llama-3/,
  ]);
  await marks.getByRole("button", { name: "Remove mark: soundbites" }).click();
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode updated successfully!");
  expect(await valuesOf()).toMatchObject({
    status: "draft",
    title: "What a voice carries",
    description: "Two people speak about listening.",
    showNotes: expect.stringMatching(/^- 0:30 What is said at point 1\./),
    soundbites: [{ start: 90, duration: 29.8, title: "Worth hearing" }],
    generated: [
      { field: "title", model: "llama-3" },
      { field: "description", model: "llama-3" },
      { field: "showNotes", model: "llama-3" },
    ],
  });
});

const passages = [0, 100, 200].map((start) => ({ start, end: start + 4.8, text: `Said at ${start}.` }));
const chapters = {
  kind: "chapters",
  chapters: [
    { start: 0, title: "Opening" },
    { start: 100, title: "The turn" },
    { start: 200, title: "What remains" },
  ],
  passages,
};

test("proposed chapters replace those of the form, as a list and as text", async () => {
  await known("ready", {}, [chapters]);
  await press("Use: Chapters 1");
  const row = (at: number) => page.getByRole("group", { name: `chapter ${at}`, exact: true });
  await expect(row(3).getByLabel("Title")).toHaveValue("What remains");
  await row(2).getByLabel("Title").fill("My own title");
  await press("Use again: Chapters 1");
  await expect(page.getByRole("alertdialog")).toContainText("1:40 My own title");
  await confirm("Cancel");
  await page.getByRole("button", { name: "Chapters as text" }).click();
  await press("Use again: Chapters 1");
  await confirm("Replace");
  await expect(row(2).getByLabel("Title")).toHaveValue("The turn");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode updated successfully!");
  expect(await valuesOf()).toMatchObject({
    chapters: chapters.chapters,
    generated: expect.arrayContaining([
      { field: "chapters", model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" },
    ]),
  });
});

test("what stopped is continued, stopped, discarded and made again @full", async () => {
  await known("stopped", { problem: "The service refused the key (401). Enter another one." });
  await expect(panel()).toContainText("The service refused the key (401). Enter another one.");
  await press("Continue");
  await expect(panel().getByText("Propose again")).toBeVisible();

  await known("running", {
    problem: "The service is busy, and is asked again later.",
    retry_at: 1764460800000,
  });
  await expect(panel()).toContainText("The service is busy, and is asked again later. Next try");
  await expect(panel()).toContainText("Read 30 of 60 cues. You can leave this page.");
  await press("Stop");
  await expectNoAxeFindings(page);
  await confirm("Stop and discard");
  await expect(panel().getByRole("button", { name: "Propose from the transcript" })).toBeVisible();

  await known("ready", {
    problem: "The model proposed nothing that is based on the transcript.",
    recording: "former",
  });
  await expect(panel()).toContainText("The model proposed nothing that is based on the transcript.");
  await expect(panel()).toContainText(
    "They are of a transcript or recording that this episode no longer has.",
  );
  await panel().getByText("Propose again").click();
  await expect(panel()).toContainText("The proposals above are replaced.");
  await press("Replace these proposals");
  await expect(panel().getByRole("group", { name: "Titles" })).toBeVisible();
  await press("Discard");
  await confirm("Discard");
  await expect(panel().getByRole("button", { name: "Propose from the transcript" })).toBeVisible();
});

test("a lost connection is named, and the panel is read again @full", async () => {
  await page.route("**/proposals", (route) => route.abort());
  await open();
  await expect(panel()).toContainText("The connection was lost. Check it, then try again.");
  await page.unroute("**/proposals");
  await press("Try again");
  await expect(panel().getByRole("button", { name: "Propose from the transcript" })).toBeVisible();
});

test("the page and the feed say what a model wrote once the owner wants it", async () => {
  await run("update episodes set status = 'published', published_at = 1 where id = ?", episode);
  const sentence = "Written with the help of AI: title, summary, show notes and chapters.";
  const read = async (path: string) => (await page.request.get(`${site.url}${path}`)).text();
  expect(await read(`/episode/${episode}`)).not.toContain("help of AI");
  await openHydrated(page, `${site.url}/admin/settings/transcripts`);
  await page.getByLabel("Say what a model wrote").check();
  await page.getByRole("button", { name: "Save disclosure" }).click();
  await expectToast(page, "Settings saved successfully!");
  await expect.poll(() => read(`/episode/${episode}`)).toContain(sentence);
  await page.goto(`${site.url}/episode/${episode}`);
  await expect(page.getByText(sentence)).toBeVisible();
  await expectNoAxeFindings(page);
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await page.screenshot({ path: `test-results/disclosed-${viewport.width}-${colorScheme}.png` });
  }
  const marks = [{ field: "unnamed", model: "an unnamed model" }];
  await run("update episodes set generated = ? where id = ?", JSON.stringify(marks), episode);
  await open();
  const list = page.getByRole("group", { name: "Written by a model" });
  await expect(list).toContainText("Something that its former feed doesn’t name, by an unnamed model");
});

test("the panel and the settings look right in each window and scheme @full", async () => {
  const long = `A text that is ${"very ".repeat(40)}long with a ${"word".repeat(40)}.`;
  const texts = [
    { kind: "title", text: "On hearing each other", passages: passages.slice(0, 1) },
    { kind: "title", text: long, passages },
    { kind: "summary", text: "Two people speak about listening.", passages },
    { kind: "notes", text: `- 0:00 What is said first.\n- 1:40 ${long}`, passages },
    chapters,
    { kind: "soundbite", start: 90, duration: 29.8, title: "Worth hearing", passages: passages.slice(1, 2) },
    { kind: "message", text: "We spoke about listening. Have a look.", passages },
  ];
  const found = JSON.stringify({
    points: [],
    chapters: [],
    soundbites: [],
    offered: 14,
    leftOut: { passage: 1, link: 1, form: 2, number: 0 },
  });
  const states: Record<string, [string, Record<string, unknown>, object[]]> = {
    ready: ["ready", { found }, texts],
    running: [
      "running",
      { problem: "The service is busy, and is asked again later.", retry_at: 1764460800000 },
      [],
    ],
    long: [
      "stopped",
      {
        model: `@cf/${"long".repeat(30)}`,
        problem: `The service answered with an error (500): ${"CUDA ".repeat(30)}.`,
      },
      [],
    ],
  };
  for (const { viewport, colorScheme } of [
    ...looks,
    { viewport: { width: 768, height: 1024 }, colorScheme: "light" as const },
  ]) {
    const name = `${viewport.width}-${colorScheme}`;
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await openHydrated(page, `${site.url}/admin/settings/transcripts`);
    await expectNoAxeFindings(page);
    await page.screenshot({ path: `test-results/proposals-settings-${name}.png`, fullPage: true });
    for (const [state, [is, columns, contents]] of Object.entries(states)) {
      await known(is, columns, contents);
      await expect(panel()).toContainText("Generated by");
      if (state === "ready") await panel().getByText("Based on 3 passages").first().click();
      await expectNoAxeFindings(page);
      await panel().screenshot({ path: `test-results/proposals-${state}-${name}.png` });
    }
    await page.getByRole("group", { name: "Written by a model" }).screenshot({
      path: `test-results/marks-${name}.png`,
    });
    await run("delete from proposal_runs");
    await open();
    await expect(panel().getByRole("button", { name: "Propose from the transcript" })).toBeVisible();
    await panel().screenshot({ path: `test-results/proposals-start-${name}.png` });
  }
});
