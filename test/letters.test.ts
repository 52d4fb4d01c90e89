import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { deleteLetter, updateLetter } from "#worker/letters/commands.ts";
import { FILL_IN_BOTH, type NewLetter } from "#worker/letters/contract.ts";
import { countedPath, followLink, letterLinksOf, newMark } from "#worker/letters/counted-links.ts";
import { listLetters, readLetter } from "#worker/letters/queries.ts";
import { letterLinks, letters } from "#worker/letters/table.ts";
import { sendTest } from "#worker/letters/test-commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { listSources } from "#worker/newsletter/sources.ts";
import { Changes } from "#worker/platform/data/known-changes.ts";
import { env } from "cloudflare:workers";
import { outbox } from "#worker/platform/table.ts";
import PostalMime from "postal-mime";
import { createLetter } from "#worker/letters/commands.ts";
import { setArchive } from "./support/archive.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { publishedEpisode, savedShow, storedImage, unique } from "./support/factories.ts";
import { aLetter, savedLetter, setLetter } from "./support/letters.ts";
import type { Received } from "./support/smtp-server.ts";

const { db } = jobContext();
afterEach(() => vi.restoreAllMocks());

describe("a letter", () => {
  it("begins as a draft with only the given values", async () => {
    const letter = await createLetter(ownerContext(), { subject: "Begun" });
    expect(letter).toMatchObject({
      status: "draft",
      values: { subject: "Begun", content: "", segment: { sources: [], since: null, until: null } },
      origin: null,
      counts: { recipients: 0, queued: 0 },
    });
    expect(await readLetter(ownerContext(), letter.id)).toEqual(letter);
  });

  it("stores its content as sanitised HTML, and the files that it uses", async () => {
    const picture = await storedImage();
    const content = `![A hill](/media/${picture.key})\n\n**Bold** <script>alert(1)</script>`;
    const { id } = await savedLetter({ content });
    const [row] = await db.select().from(letters).where(eq(letters.id, id));
    expect(row!.contentHtml).toContain("<strong>Bold</strong>");
    expect(row!.contentHtml).not.toContain("<script");
    expect(row!.embeddedFileIds).toEqual([picture.id]);
  });

  it("is not overwritten by an editor who has not seen the latest version", async () => {
    const { id, updatedAt } = await savedLetter();
    const first = await updateLetter(ownerContext(), id, { subject: "Mine", basedOn: updatedAt });
    expect(first.updatedAt).toBeGreaterThan(updatedAt);
    await expect(
      updateLetter(ownerContext(), id, { subject: "Theirs", basedOn: updatedAt }),
    ).rejects.toMatchObject({ code: "conflict" });
    expect((await readLetter(ownerContext(), id)).values.subject).toBe("Mine");
  });

  it("may be scheduled and changed, but not emptied, nor saved automatically", async () => {
    const { id } = await savedLetter();
    await setLetter(id, { status: "scheduled", scheduledFor: new Date(Date.now() + 86_400_000) });
    expect((await updateLetter(ownerContext(), id, { subject: "Later" })).values.subject).toBe("Later");
    await expect(updateLetter(ownerContext(), id, { content: " " })).rejects.toMatchObject({
      code: "invalid",
      message: FILL_IN_BOTH,
      field: "content",
    });
    await expect(
      updateLetter(ownerContext(), id, { subject: "Half", automatic: true }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("that is scheduled cannot be changed to something that could not be sent", async () => {
    const { id } = await savedLetter();
    await setLetter(id, { status: "scheduled", scheduledFor: new Date(Date.now() + 86_400_000) });
    await expect(
      updateLetter(ownerContext(), id, { content: "A *word* and `more`.\n\n".repeat(2200) }),
    ).rejects.toMatchObject({ code: "invalid", message: /100 kB/, field: "content" });
  });

  it("is in the archive if there is one when it is written, unless set otherwise", async () => {
    const isPublic = async (input: NewLetter = {}) =>
      (await createLetter(ownerContext(), { subject: "News", ...input })).values.isPublic;
    expect(await isPublic()).toBe(false);
    expect(await isPublic({ isPublic: true })).toBe(true);
    await setArchive(true);
    expect(await isPublic()).toBe(true);
    expect(await isPublic({ isPublic: false })).toBe(false);
    await setArchive(false);
  });

  it.each(["sending", "paused", "sent", "cancelled"] as const)(
    "that is %s can be neither changed nor deleted",
    async (status) => {
      const { id } = await savedLetter();
      await setLetter(id, { status, startedAt: new Date() });
      await expect(updateLetter(ownerContext(), id, { subject: "New" })).rejects.toMatchObject({
        code: "conflict",
      });
      await expect(deleteLetter(ownerContext(), id)).rejects.toMatchObject({ code: "conflict" });
    },
  );

  it("may be removed from the archive after it was sent, which expires its cached pages", async () => {
    const { id } = await savedLetter();
    const changes = new Changes();
    await changes.catchUp(env.DB);
    const before = changes.version;
    await updateLetter(ownerContext(), id, { isPublic: false });
    await changes.catchUp(env.DB);
    expect(changes.version).toBe(before);
    await setLetter(id, { status: "sent", startedAt: new Date() });
    const { values } = await updateLetter(ownerContext(), id, { isPublic: true });
    expect(values.isPublic).toBe(true);
    await changes.catchUp(env.DB);
    expect(changes.isExpired({ tags: [`letter:${id}`], version: before })).toBe(true);
    expect(changes.isExpired({ tags: ["letters"], version: before })).toBe(true);
  });

  it("is deleted while it is a draft", async () => {
    const { id } = await savedLetter();
    await deleteLetter(ownerContext(), id);
    await expect(readLetter(ownerContext(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is listed newest first, page by page, without duplicates", async () => {
    for (let n = 0; n < 35; n++) await savedLetter();
    const first = await listLetters(ownerContext());
    const second = await listLetters(ownerContext(), { before: first.next! });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(first.items).toHaveLength(30);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
    await expect(listLetters(ownerContext(), { before: "x" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is written, read and refused through the API", async () => {
    const { api } = await signedIn("admin");
    const created = await api.newsletters.$post({ json: aLetter() });
    expect(created.status).toBe(201);
    const { id, updatedAt } = await created.json();
    const param = { id: String(id) };
    const patched = await api.newsletters[":id"].$patch({
      param,
      json: { subject: "Two", basedOn: updatedAt },
    });
    expect(await patched.json()).toMatchObject({ id, values: { subject: "Two" } });
    const stale = await api.newsletters[":id"].$patch({ param, json: { subject: "3", basedOn: updatedAt } });
    expect(stale.status).toBe(409);
    expect((await api.newsletters[":id"].$delete({ param })).status).toBe(204);
    expect((await api.newsletters[":id"].$get({ param })).status).toBe(404);
  });
});

describe("a letter of an essay or an episode", () => {
  it("takes its title, standfirst, picture and text, and links to its page", async () => {
    const image = await storedImage();
    const essay = await publishedArticle({
      title: "On *rent*",
      excerpt: "What it costs, and _whom_.",
      content: "The first words.\n\n## A heading\n\nMore.",
      slug: `on-rent-${unique()}`,
      imageFileId: image.id,
      imageAlt: "A [street]",
    });
    const { values, origin } = await createLetter(ownerContext(), {
      origin: { kind: "article", id: essay.id },
    });
    expect(origin).toEqual({ kind: "article", id: essay.id });
    expect(values.subject).toBe("On *rent*");
    expect(values.preheader).toBe("What it costs, and _whom_.");
    expect(values.content).toBe(
      [
        `![A \\[street\\]](/media/${image.key})`,
        "What it costs, and \\_whom\\_.",
        "The first words.",
        "## A heading",
        "More.",
        `**[Read on the site](http://localhost:8787/essays/${essay.slug})**`,
      ].join("\n\n"),
    );
  });

  it("of an episode has description, show notes and a link to listen", async () => {
    await savedShow();
    const { id } = await publishedEpisode({
      title: "Rent",
      description: "We talk.",
      showNotes: "- 2:05 Housing",
    });
    const { values } = await createLetter(ownerContext(), { origin: { kind: "episode", id } });
    expect(values.content).toBe(
      `We talk.\n\n**[Listen to the episode](http://localhost:8787/episode/${id})**\n\n- 2:05 Housing`,
    );
  });

  it("of a text that is too long has as many of its blocks as fit, with their footnotes", async () => {
    const blocks = Array.from({ length: 400 }, (_, n) => `Paragraph ${n}. ${"word ".repeat(40)}`.trim());
    const content = [...blocks, "[there]: https://a.example/there"].join("\n\n");
    const essay = await publishedArticle({ title: "Long", content });
    const { values } = await createLetter(ownerContext(), { origin: { kind: "article", id: essay.id } });
    expect(values.content.length).toBeLessThanOrEqual(50_000);
    expect(values.content.length).toBeGreaterThan(48_000);
    expect(values.content).toContain("Paragraph 0. word");
    expect(values.content).toContain("[there]: https://a.example/there");
    expect(values.content).toMatch(/\*\*\[Read on the site\]\(\S+\)\*\*$/);
  });

  it("is refused for unpublished items", async () => {
    const { api } = await signedIn("admin");
    const draft = await (await api.articles.$post({ json: { title: "A draft" } })).json();
    const made = (id: number) => createLetter(ownerContext(), { origin: { kind: "article", id } });
    await expect(made(draft.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(made(999_999)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a test of a letter", () => {
  const ports = inject("smtp");
  const withServer = () => {
    const ctx = ownerContext();
    const email = `owner-${unique()}@example.com`;
    const smtpUrl = `smtps://owner:p%40ss%2Fword@localhost:${ports.implicit}`;
    return {
      ctx: { ...ctx, actor: { ...ctx.actor, email }, config: { ...ctx.config, smtpUrl } } as typeof ctx,
      email,
    };
  };

  it("is sent to the user who asks, with the typed text, without the outbox, and shows the server's response", async () => {
    const { ctx, email } = withServer();
    const { id } = await savedLetter();
    const before = await db.$count(outbox);
    const result = await sendTest(ctx, id, { subject: "Grüße" });
    expect(result).toMatchObject({ to: email, isAccepted: true });
    expect(result.answer).toMatch(/^250 /);
    expect(await db.$count(outbox)).toBe(before);
    const response = await fetch(`http://127.0.0.1:${ports.received}/${encodeURIComponent(email)}`);
    const [received] = await response.json<Received[]>();
    const mail = await PostalMime.parse(Uint8Array.from(received!.raw, (char) => char.charCodeAt(0)));
    expect(mail.subject).toBe("[Test] Grüße");
    expect(mail.text).toContain("/unsubscribe?token=test");
  });

  it("without subject or content is refused in the specification's words", async () => {
    const { id } = await savedLetter();
    await expect(sendTest(ownerContext(), id, { subject: "" })).rejects.toMatchObject({
      message: "Please fill in both subject and content",
      field: "subject",
    });
    await expect(sendTest(ownerContext(), id, { content: "\n" })).rejects.toMatchObject({ field: "content" });
  });

  it("shows the error if no server is set, or the server refuses", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const { id } = await savedLetter();
    expect(await sendTest(ownerContext(), id)).toMatchObject({
      isAccepted: true,
      answer: expect.stringContaining("printed in the console"),
    });
    const { ctx } = withServer();
    const refused = { ...ctx, actor: { ...ctx.actor, email: "unknown@example.com" } } as typeof ctx;
    expect(await sendTest(refused, id)).toMatchObject({ isAccepted: false });
  });

  it("is limited for each hour", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const ctx = ownerContext();
    const owner = { ...ctx, actor: { ...ctx.actor, id: `owner-${unique()}` } } as typeof ctx;
    const { id } = await savedLetter();
    for (let n = 0; n < 30; n++) await sendTest(owner, id);
    await expect(sendTest(owner, id)).rejects.toMatchObject({ code: "too_many" });
  });
});

describe("a counted link", () => {
  const URLS = ["https://a.example/one?a=1&b=2", "https://b.example/"];
  const BROWSER = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0" };

  async function letterWithLinks(mark = newMark()) {
    const { id } = await savedLetter();
    await letterLinksOf(jobContext(), id, { links: URLS, mark }, sql`true`);
    return { id, mark, linkTo: (position: number) => countedPath(id, position, mark) };
  }
  const pressesOf = async (id: number) =>
    (await db.select().from(letterLinks).where(eq(letterLinks.letterId, id))).map(({ presses }) => presses);

  it("redirects to its address, and each click by a person counts", async () => {
    const { id, linkTo } = await letterWithLinks();
    for (let n = 0; n < 2; n++) {
      const response = await fetchSite(linkTo(1), { headers: BROWSER });
      expect(response.status).toBe(302);
      expect(response.headers.get("Location")).toBe(URLS[0]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("Set-Cookie")).toBeNull();
    }
    expect(await pressesOf(id)).toEqual([2, 0]);
  });

  it.each<[string, RequestInit]>([
    ["HEAD", { method: "HEAD", headers: BROWSER }],
    ["a machine that says so", { headers: { "User-Agent": "Googlebot/2.1" } }],
    ["a browser that loads ahead", { headers: { ...BROWSER, "Sec-Purpose": "prefetch" } }],
  ])("redirects %s without counting", async (_what, init) => {
    const { id, linkTo } = await letterWithLinks();
    const response = await fetchSite(linkTo(2), init);
    expect(response.headers.get("Location")).toBe(URLS[1]);
    expect(await pressesOf(id)).toEqual([0, 0]);
  });

  it("redirects without counting in a burst from one address", async () => {
    const { id, mark } = await letterWithLinks();
    const client = { address: "192.0.2.81", userAgent: BROWSER["User-Agent"] };
    const burst = { limit: async () => ({ success: false }) };
    const link = { letterId: id, position: 1, mark };
    const followed = followLink(visitorContext({ client, burst }), link, { isClick: true });
    await expect(followed).resolves.toBe(URLS[0]);
    expect(await pressesOf(id)).toEqual([0, 0]);
    const calm = { limit: async () => ({ success: true }) };
    await followLink(visitorContext({ client, burst: calm }), link, { isClick: true });
    expect(await pressesOf(id)).toEqual([1, 0]);
  });

  it("never redirects to an address that is not in the letter", async () => {
    const { id, mark, linkTo } = await letterWithLinks();
    const addresses = [
      linkTo(3),
      linkTo(0),
      `/l/999999/1-${mark}`,
      `/l/${id}/https:%2F%2Fevil.example`,
      `/l/${id}/1e1`,
    ];
    for (const path of addresses) {
      const response = await fetchSite(`${path}?url=https://evil.example`, { headers: BROWSER });
      expect([path, response.status, response.headers.get("Location")]).toEqual([path, 404, null]);
    }
  });

  it("cannot be found by counting: the letter may be in no archive", async () => {
    const { id, mark } = await letterWithLinks();
    const other = await letterWithLinks();
    expect(mark).toMatch(/^[\w-]{16}$/);
    for (const end of ["", "-", `-${other.mark}`, `-${mark.slice(1)}`, `-${mark}x`, `-%00${mark}`]) {
      const response = await fetchSite(`/l/${id}/1${end}`, { headers: BROWSER });
      expect([end, response.status]).toEqual([end, 404]);
    }
    expect(await pressesOf(id)).toEqual([0, 0]);
  });

  it("of a letter from before links had marks still redirects, and counts", async () => {
    const { id, mark, linkTo } = await letterWithLinks();
    await db.update(letterLinks).set({ mark: null }).where(eq(letterLinks.mark, mark));
    const response = await fetchSite(`/l/${id}/1`, { headers: BROWSER });
    expect(response.headers.get("Location")).toBe(URLS[0]);
    expect(await pressesOf(id)).toEqual([1, 0]);
    expect((await fetchSite(linkTo(1), { headers: BROWSER })).status).toBe(404);
  });

  it("is stored once, even if the sending starts twice", async () => {
    const { id, linkTo } = await letterWithLinks();
    await letterLinksOf(jobContext(), id, { links: URLS, mark: newMark() }, sql`true`);
    expect(await pressesOf(id)).toEqual([0, 0]);
    expect((await fetchSite(linkTo(1), { headers: BROWSER })).status).toBe(302);
    await letterLinksOf(jobContext(), id, { links: [], mark: newMark() }, sql`true`);
  });
});

describe("the sources of subscribers", () => {
  it("are read by steps through the index", async () => {
    const ctx = ownerContext();
    const rows = Array.from({ length: 300 }, (_, n) => ({
      id: crypto.randomUUID(),
      email: `source-${n}@example.com`,
      status: "active" as const,
      source: ["popup", "footer", "import-2026"][n % 3]!,
      subscribedAt: ctx.now,
      consent: "",
      stamp: String(n),
    }));
    for (let from = 0; from < rows.length; from += 10)
      await db.insert(subscribers).values(rows.slice(from, from + 10));
    const fresh = ownerContext();
    expect((await listSources(fresh)).items).toEqual(["footer", "import-2026", "popup"]);
    expect(fresh.d1.rowsRead).toBeLessThan(30);
  });
});
