import { expect, type Page } from "@playwright/test";
import type { HttpServer } from "../support/http-server.ts";
import { startTranscriptionServer } from "../support/transcription-server.ts";
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
/** A draft with a recording of five minutes. */
let episode: number;

const SECONDS = 300;
const RECORDING = "6e0c7f5e-2f4e-4c0a-9a51-0d3f6f0f5a01";
const panel = () => page.getByRole("region", { name: "Generated transcript", exact: true });
const press = (name: string) => panel().getByRole("button", { name, exact: true }).click();
const confirm = (name: string) =>
  page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
const transcript = () => page.getByRole("textbox", { name: "Transcript", exact: true });
const run = (statement: string, ...values: unknown[]) =>
  site.env.DB.prepare(statement)
    .bind(...values)
    .run();

const DRAFT = `WEBVTT

00:00:01.000 --> 00:00:03.000
<v Speaker 1>Welcome, Maren Odaya, to Plain Ground.</v>

00:00:03.500 --> 00:00:06.000
<v Speaker 2>Thank you &amp; good morning, Imogen.</v>
`;

/** A transcription in a state that only a model would bring about. */
async function known(state: string, columns: Record<string, unknown> = {}) {
  await run("delete from transcriptions where episode_id = ?", episode);
  const row = {
    id: 900 + Math.floor(Math.random() * 1e6),
    episode_id: episode,
    recording: RECORDING,
    state,
    step: 3,
    service: "Workers AI",
    model: "@cf/deepgram/nova-3",
    price_per_minute: 0.0052,
    busy_answers: 0,
    started_at: 1764460800000,
    missing: "[]",
    draft: "",
    ...columns,
  };
  const names = Object.keys(row);
  await run(
    `insert into transcriptions (${names.join()}) values (${names.map(() => "?").join()})`,
    ...Object.values(row),
  );
  await run(
    `insert into transcription_pieces (transcription_id, number, state, start, "end", next, asked)
    values (${row.id}, 0, 'heard', 0, 240, '{"at":900328,"seconds":230.008}', 1), (${row.id}, 1, 'failed', 230, 300, null, 3)`,
  );
  await openHydrated(page, `${site.url}/admin/podcast/${episode}`);
}

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  server = await startTranscriptionServer();
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" } });
  await storeSpoken(site, RECORDING, SECONDS);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  page = await context.newPage();
  await signInAsOwner(page, site);
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    headers: { Origin: site.url },
    data: {
      title: "On listening",
      audioFileId: RECORDING,
      people: [{ name: "Maren Oduya", role: "guest", group: "cast", href: null }],
    },
  });
  expect(created.status()).toBe(201);
  episode = ((await created.json()) as { id: number }).id;
});
test.afterAll(async () => {
  await site?.stop();
  server?.stop();
});

test("the owner chooses what transcribes, and stores and removes its key", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/${episode}`);
  await expect(panel()).toContainText("An admin chooses one under Settings → Transcripts.");
  await openHydrated(page, `${site.url}/admin/settings/transcripts`);
  await page.getByLabel("Transcribed by").selectOption("Workers AI");
  await expect(page.getByText("its deployment needs the binding AI")).toBeVisible();
  await page.getByLabel("Transcribed by").selectOption("A server with OpenAI’s API");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByLabel("Address of the server")).toHaveAccessibleDescription(
    /^Enter the address of the server\./,
  );
  await page.getByLabel("Address of the server").fill(`http://127.0.0.1:${server.port}/ok`);
  await page.getByLabel("Model", { exact: true }).fill("whisper-1");
  await page.getByLabel("Price of a minute").fill("much");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByLabel("Price of a minute")).toHaveAccessibleDescription(/^Enter dollars a minute/);
  await page.getByLabel("Price of a minute").fill("0.006");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Settings saved successfully!");
  await page.getByLabel("Key of the server").fill("a-secret-key");
  await page.getByRole("button", { name: "Save key" }).click();
  await expectToast(page, "Key saved");
  await expect(page.getByText("A key is stored.")).toBeVisible();
  expect(await page.content()).not.toContain("a-secret-key");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Remove key" }).click();
  await expectToast(page, "Key removed");
  await expect(page.getByText("No key is stored.")).toBeVisible();
});

test("a recording is transcribed, and the result is taken into the form", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/${episode}`);
  await expect(panel()).toContainText(
    "5.2 minutes will be sent, with what its parts overlap. This costs about $0.03.",
  );
  await expect(panel()).toContainText("By whisper-1 (127.0.0.1:");
  await expectNoAxeFindings(page);
  await panel().getByLabel("Language").selectOption("As the model hears it");
  // Its controls are not the form's.
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
  await press("Transcribe the recording");
  await expect(panel()).toContainText("Generated by whisper-1");
  await expect(panel().getByRole("button", { name: "Use this transcript" })).toBeVisible();
  await expect(panel()).toContainText("5.2 minutes were sent, which cost $0.03.");
  await expect(transcript()).toHaveValue("");
  await panel().getByText("Read it").click();
  await expect(panel().getByLabel("The generated transcript")).toHaveValue(/word0 word1/);
  await expectNoAxeFindings(page);
  await press("Use this transcript");
  await expect(page.getByText("The generated transcript is in the form. Read it, then save")).toBeVisible();
  await expect(transcript()).toHaveValue(/^WEBVTT\n\n00:00:00\.4\d\d --> [\s\S]*word0 word1/);
  await expect(panel()).toContainText("Taken into the form on");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode updated successfully!");
});

test("voices are named once, names are corrected, and the page and the files have them", async () => {
  await known("ready", { draft: DRAFT });
  await expect(panel()).toContainText("Generated by @cf/deepgram/nova-3 (Workers AI).");
  await expect(panel().getByLabel("Speaker 1 is")).toHaveAccessibleDescription(
    /^Begins with “Welcome, Maren/,
  );
  await panel().getByLabel("Speaker 1 is").fill("Imogen Tarrant");
  await panel().getByLabel("Speaker 2 is").fill("Maren Oduya");
  await panel().getByLabel("Speaker 2 is").press("Enter");
  await panel().getByLabel("Save these names for the podcast").check();
  await panel().getByLabel("“Maren Odaya” is “Maren Oduya”").check();
  await expectNoAxeFindings(page);
  await press("Use this transcript");
  await expect(transcript()).toHaveValue(
    /<v Imogen Tarrant>Welcome, Maren Oduya, to Plain Ground\.\n\n.*\n<v Maren Oduya>Thank you &amp; good morning, Imogen\./,
  );
  await page.getByLabel("Description", { exact: true }).first().fill("About listening.");
  await page.getByLabel("Status").selectOption("Archived");
  await page.keyboard.press("ControlOrMeta+s");
  await expectToast(page, "Episode archived successfully!");
  const saved = await site.env.DB.prepare("select transcript, cues from episodes where id = ?")
    .bind(episode)
    .first<{ transcript: string; cues: string }>();
  expect(JSON.parse(saved!.cues)).toMatchObject([{ speaker: "Imogen Tarrant" }, { speaker: "Maren Oduya" }]);
  await run("update episodes set status = 'published', published_at = 1 where id = ?", episode);
  const read = async (path: string) =>
    (await page.request.get(`${site.url}/episode/${episode}${path}`)).text();
  expect(await read("/transcript.vtt")).toContain("<v Maren Oduya>Thank you");
  expect(JSON.parse(await read("/transcript.json"))).toMatchObject({
    segments: [{ speaker: "Imogen Tarrant" }, { speaker: "Maren Oduya" }],
  });
  expect(await read("")).toContain("Maren Oduya");

  await known("ready", { draft: DRAFT });
  await expect(panel().getByLabel("Speaker 1 is")).toHaveValue("Imogen Tarrant");
  await expect(panel().getByLabel("Speaker 2 is")).toHaveValue("Maren Oduya");
});

test("missing minutes are sent again, and what stopped is continued, stopped and discarded @full", async () => {
  await known("ready", { draft: DRAFT, missing: "[[230,300]]" });
  await expect(panel()).toContainText("Missing: 3:50 to 5:00");
  await press("Transcribe the missing minutes");
  await expect(panel()).not.toContainText("Missing:");
  await expect(panel().getByRole("button", { name: "Use this transcript" })).toBeVisible();

  await known("stopped", { problem: "The service refused the key (401). Enter another one." });
  await expect(panel()).toContainText("The service refused the key (401). Enter another one.");
  await press("Continue");
  await expect(panel().getByRole("button", { name: "Use this transcript" })).toBeVisible();

  await known("running", {
    problem: "The service is busy, and is asked again later.",
    retry_at: 1764460800000,
  });
  await expect(panel()).toContainText("The service is busy, and is asked again later. Next try");
  await expect(panel()).toContainText("Transcribed 5:00 of 5:00");
  await press("Stop");
  await expectNoAxeFindings(page);
  await confirm("Stop and discard");
  await expect(panel().getByRole("button", { name: "Transcribe the recording" })).toBeVisible();

  await known("ready", { problem: "No words were heard. The recording may be silent, or music alone." });
  await expect(panel()).toContainText("No words were heard.");
  await expect(panel().getByRole("button", { name: "Use this transcript" })).toHaveCount(0);
  await press("Discard");
  await confirm("Discard");
  await expect(panel().getByRole("button", { name: "Transcribe the recording" })).toBeVisible();

  await known("ready", { draft: DRAFT, language: "en", heard: "german", recording: "former" });
  await expect(panel()).toContainText("The model heard another language than the podcast’s: german.");
  await expect(panel()).toContainText("It is of a recording that this episode no longer has.");
});

test("a lost connection is named, and the panel is read again @full", async () => {
  await known("ready", { draft: DRAFT });
  await page.route("**/transcription", (route) => route.abort());
  await page.route("**/transcription/draft", (route) => route.abort());
  await openHydrated(page, `${site.url}/admin/podcast/${episode}`);
  await expect(panel()).toContainText("The connection was lost. Check it, then try again.");
  await page.unroute("**/transcription");
  await press("Try again");
  await expect(panel()).toContainText("Generated by");
  await expect(panel()).toContainText("The connection was lost. Check it, then try again.");
  await page.unroute("**/transcription/draft");
  await press("Try again");
  await expect(panel().getByLabel("Speaker 1 is")).toBeVisible();
});

test("the panel and the settings look right in each window and scheme @full", async () => {
  const long = `Speaker text that is ${"very ".repeat(40)}long with a ${"word".repeat(40)}.`;
  const states: Record<string, [string, Record<string, unknown>]> = {
    ready: ["ready", { draft: DRAFT, missing: "[[230,300]]" }],
    running: [
      "running",
      { problem: "The service is busy, and is asked again later.", retry_at: 1764460800000 },
    ],
    long: [
      "stopped",
      {
        model: `@cf/${"long".repeat(30)}`,
        problem: `The service answered with an error (500): ${"CUDA ".repeat(30)}.`,
        draft: DRAFT.replace("Thank you", long),
      },
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
    await page.screenshot({ path: `test-results/transcripts-settings-${name}.png`, fullPage: true });
    for (const [state, [is, columns]] of Object.entries(states)) {
      await known(is, columns);
      await expect(panel()).toContainText("Generated by");
      if (state === "ready") await expect(panel().getByLabel("Speaker 1 is")).toBeVisible();
      await expectNoAxeFindings(page);
      await panel().screenshot({ path: `test-results/transcription-${state}-${name}.png` });
    }
    await run("delete from transcriptions");
    await openHydrated(page, `${site.url}/admin/podcast/${episode}`);
    await expect(panel().getByRole("button", { name: "Transcribe the recording" })).toBeVisible();
    await panel().screenshot({ path: `test-results/transcription-start-${name}.png` });
  }
});
