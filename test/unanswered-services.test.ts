import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { logIn } from "#worker/accounts/session-commands.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { clearCache } from "#worker/platform/http/cache.ts";
import { addUser, PASSWORD } from "./support/accounts.ts";
import { publishedArticle } from "./support/articles.ts";
import { SITE } from "./support/client.ts";
import { aComment, setComments } from "./support/comments.ts";
import { publishedEpisode, savedShow, storedAudio } from "./support/factories.ts";
import { faultyBindings, type BindingCall, type Fault } from "./support/faults.ts";
import {
  aBooking,
  aMessage,
  anAddress,
  anApplication,
  errorOf,
  household,
  postForm,
  postJson,
  typed,
} from "./support/forms.ts";
import { listenerId } from "./support/listeners.ts";
import worker from "./support/worker.ts";

const NO_ANSWER = "This site’s database isn’t answering right now. Please try again in a few minutes.";

const without = (binding: string, fault: Fault = "before") =>
  faultyBindings(env, (call: BindingCall) => (call.binding === binding ? fault : undefined)).env;

/** Text that would break out of an attribute, an element and a text field. */
const ODD = `"><b>Words</b></textarea> & more`;

const forms: Record<string, () => Promise<{ path: string; fields: Record<string, unknown> }>> = {
  newsletter: async () => ({
    path: "/api/newsletter/subscribe",
    fields: { form: "footer", source: "footer", email: anAddress() },
  }),
  guest: async () => ({
    path: "/api/guest-applications",
    fields: typed("application", anApplication({ topic: ODD, position: `One.\n${ODD}` })),
  }),
  contact: async () => ({
    path: "/api/contact-messages",
    fields: typed("message", aMessage({ subject: ODD, message: `One.\n${ODD}` })),
  }),
  speaking: async () => ({
    path: "/api/speaking-bookings",
    fields: typed("booking", aBooking({ eventName: ODD, additionalInfo: `One.\n${ODD}` })),
  }),
  comment: async () => ({
    path: "/api/comments",
    fields: { form: "comment", ...aComment((await publishedArticle()).id, { text: `One.\n${ODD}` }) },
  }),
};

beforeAll(async () => {
  await setComments(true);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(async () => {
  vi.restoreAllMocks();
  await setComments(false);
});

/** The values of a page's fields, as a browser sends them. */
async function fieldsIn(page: string) {
  const values: Record<string, string> = {};
  let inTextarea = "";
  await new HTMLRewriter()
    .on("form input, form textarea", {
      element(element) {
        inTextarea = element.tagName === "textarea" ? element.getAttribute("name")! : "";
        values[element.getAttribute("name") ?? ""] = decoded(element.getAttribute("value") ?? "");
      },
    })
    .on("form textarea", {
      text({ text }) {
        values[inTextarea] += text;
      },
    })
    .transform(new Response(page))
    .text();
  for (const [name, value] of Object.entries(values)) values[name] = decoded(value).replace(/^\n/, "");
  return values;
}

const decoded = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe.each(Object.entries(forms))("the %s form, while D1 does not answer,", (_, prepare) => {
  it("is given back without scripts: 503, a message, and each typed value in its field", async () => {
    const { path, fields } = await prepare();
    const answer = await postForm(path, fields, { bindings: without("DB") });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    const page = await answer.text();
    expect(page).toContain(NO_ANSWER);
    expect(page).toContain("<h1>This may not have been sent</h1>");
    expect(page).toContain("Nothing that you typed is lost.");
    expect(page).toContain(`action="${path}"`);
    expect(page).not.toContain("<b>Words</b>");
    const given = await fieldsIn(page);
    for (const [name, value] of Object.entries(fields))
      expect([name, given[name]]).toEqual([name, String(value)]);
  });

  it("can be sent again from there", async () => {
    const { path, fields } = await prepare();
    const answer = await postForm(path, fields, { bindings: without("DB") });
    const again = await postForm(path, await fieldsIn(await answer.text()));
    expect(again.status).toBe(303);
    expect(again.headers.get("Location")).not.toContain("failed");
  });

  it("is answered with the message and 503 with scripts, which leave the typed text", async () => {
    const { path, fields } = await prepare();
    const { form: _form, ...json } = fields;
    const body = "consent" in json ? { ...json, consent: true } : json;
    const answer = await postJson(path, body, { bindings: without("DB") });
    expect(answer.status).toBe(503);
    expect(await errorOf(answer)).toMatchObject({ code: "unavailable", message: NO_ANSWER });
  });
});

describe("a public form whose handler fails in any other way", () => {
  it("is shown by its page without scripts, with what was typed and with 503", async () => {
    const { path, fields } = await forms["contact"]!();
    // Not even bound: a TypeError.
    const answer = await postForm(path, fields, { bindings: { BURST: undefined } });
    expect(answer.status).toBe(503);
    const page = await answer.text();
    expect(page).toContain("Something went wrong on this site. Please send it again in a few minutes.");
    expect(await fieldsIn(page)).toMatchObject({ subject: ODD, message: `One.\n${ODD}` });
    expect(page).toContain("<nav");
  });
});

it("gives a mailed link's form back, with its token, while D1 does not answer", async () => {
  // Has the header of a token: what is none is refused without D1.
  const token = "eyJhbGciOiJIUzI1NiJ9.e30.c";
  const answer = await postForm(
    "/api/newsletter/unsubscribe",
    { form: "unsubscribe", token },
    { bindings: without("DB") },
  );
  expect(answer.status).toBe(503);
  const page = await answer.text();
  expect(await fieldsIn(page)).toMatchObject({ token, form: "unsubscribe" });
  expect(page).not.toContain("typed");
  expect(page).toContain("Send it again from here.");
});

describe("a refused form whose page cannot be rendered", () => {
  it("is given back with each message beside its field", async () => {
    const fields = typed("message", aMessage({ name: "", email: "nobody", subject: ODD }));
    const answer = await postForm("/api/contact-messages", fields, { bindings: without("DB") });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain("<h1>Not sent yet</h1>");
    expect(page).toMatch(/name="name"[^>]*>\s*<\/label>\s*<br \/><strong>[^<]+<\/strong>/);
    expect(page).toMatch(/name="email"[^>]*>\s*<\/label>\s*<br \/><strong>[^<]+<\/strong>/);
    expect(page).not.toMatch(/name="subject"[^>]*>\s*<\/label>\s*<br/);
  });

  it("is not given back if it was too large to be read: its message only", async () => {
    const fields = typed("message", aMessage({ message: "x".repeat(2 * 1024 * 1024) }));
    const answer = await postForm("/api/contact-messages", fields, { bindings: without("DB") });
    expect(answer.status).toBe(413);
    const page = await answer.text();
    expect(page).toContain("That’s too much for this form.");
    expect(page).not.toContain("<form");
    expect(page).not.toContain("typed");
  });
});

describe("while the rate-limit binding fails", () => {
  it.each<Fault>(["before", "hang"])("forms and sign-in answer as usual (%s)", async (fault) => {
    const bindings = without("BURST", fault);
    expect((await postJson("/api/contact-messages", aMessage(), { bindings })).status).toBe(200);
    const { email } = await addUser();
    const signIn = await postJson("/api/admin/session", { email, password: PASSWORD }, { bindings });
    expect(signIn.status).toBe(201);
  });

  it("the exact limits still apply", async () => {
    const bindings = without("BURST");
    const body = { email: anAddress() };
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      statuses.push((await postJson("/api/newsletter/subscribe", body, { bindings })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("while KV does not answer", () => {
  it.each<Fault>(["before", "hang"])("sign-in takes a few seconds at most (%s)", async (fault) => {
    const { email } = await addUser();
    const ctx = createContext(without("KV", fault), {
      actor: { kind: "visitor" },
      client: { address: household(), userAgent: "" },
    });
    const start = performance.now();
    await logIn(ctx, { email, password: PASSWORD });
    expect(performance.now() - start).toBeLessThan(4000);
  });

  it("a new playlist is created", async () => {
    const answer = await postJson(
      "/api/playlists",
      { name: "A list" },
      { bindings: without("KV", "hang"), headers: { "Listener-Id": listenerId() } },
    );
    expect(answer.status).toBe(201);
  });
});

describe("a page, a feed or a recording", () => {
  const get = async (path: string, bindings: object, isHanging = false) => {
    const execution = createExecutionContext();
    const answer = await worker.fetch(new Request(`${SITE}${path}`) as never, bindings as never, execution);
    const body = await answer.text();
    if (!isHanging) await waitOnExecutionContext(execution);
    return { answer, body };
  };

  it.each<Fault>(["before", "hang"])(
    "that is cached is given while D1 does not answer (%s)",
    async (fault) => {
      await savedShow();
      await publishedEpisode();
      const cached = { EDGE_CACHE: "on" };
      for (const path of ["/podcast", FEED_PATH]) {
        const usual = await get(path, { ...env, ...cached });
        expect([path, usual.answer.status]).toEqual([path, 200]);
        // A new isolate.
        clearCache();
        const start = performance.now();
        const { answer, body } = await get(path, { ...without("DB", fault), ...cached }, fault === "hang");
        expect([path, answer.status, body]).toEqual([path, 200, usual.body]);
        expect(performance.now() - start).toBeLessThan(12_000);
      }
    },
  );

  it("that is not cached is answered with 503 and Retry-After while D1 does not answer", async () => {
    for (const path of ["/essays", "/essays/none", FEED_PATH, "/sitemap.xml", "/api/episodes"]) {
      const { answer } = await get(path, without("DB"));
      expect([path, answer.status]).toEqual([path, 503]);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(answer.headers.get("Cache-Control") ?? "").not.toContain("public");
    }
  });

  it.each<Fault>(["before", "hang"])("a recording plays while D1 does not answer (%s)", async (fault) => {
    const { key } = await storedAudio();
    const start = performance.now();
    const { answer } = await get(`/media/${key}`, without("DB", fault), fault === "hang");
    expect(answer.status).toBe(200);
    expect(performance.now() - start).toBeLessThan(8000);
  });

  it("a recording is answered with 503 and Retry-After while R2 fails", async () => {
    const { key } = await storedAudio();
    const { answer, body } = await get(`/media/${key}`, without("MEDIA"));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(body).toContain("This file can’t be read right now. Please try again in a few minutes.");
  });

  it("pages are rendered while R2 fails, with the cache on", async () => {
    clearCache();
    const { answer } = await get("/essays?page=9", { ...without("MEDIA"), EDGE_CACHE: "on" });
    expect(answer.status).toBeLessThan(500);
  });

  it("the health check says which service does not answer", async () => {
    for (const [binding, check] of [
      ["DB", "d1"],
      ["KV", "kv"],
      ["MEDIA", "r2"],
    ] as const) {
      const { answer, body } = await get("/api/health", without(binding));
      const { ok, checks } = JSON.parse(body) as { ok: boolean; checks: Record<string, boolean> };
      expect([binding, ok, checks[check]]).toEqual([binding, false, false]);
      expect(answer.status).toBe(binding === "DB" ? 503 : 200);
    }
  });
});

describe("a favourite, progress or playlist of an id that is new", () => {
  const put = async (path: string, address: string, id: string, body: object = {}, method = "PUT") => {
    const execution = createExecutionContext();
    const headers = { "Content-Type": "application/json", "CF-Connecting-IP": address, "Listener-Id": id };
    const init = { method, headers, body: JSON.stringify(body) };
    const request = new Request(`${SITE}${path}`, init);
    const unlimited = { limit: async () => ({ success: true }) };
    // The count is exact, and needs no KV.
    const bindings = { ...without("KV"), BURST: unlimited };
    const answer = await worker.fetch(request as never, bindings as never, execution);
    await waitOnExecutionContext(execution);
    return answer;
  };

  it("is limited to 300 an hour by network address; known listeners are not", async () => {
    const { id: episode } = await publishedEpisode();
    const address = "203.0.113.77";
    const progress = { progressSeconds: 5, completed: false };
    const known = listenerId();
    expect((await put(`/api/favorites/${episode}`, address, known)).status).toBe(200);
    const statuses = new Map<number, number>();
    for (let tries = 0; tries < 302; tries++) {
      const path = tries % 2 === 0 ? `/api/favorites/${episode}` : `/api/progress/${episode}`;
      const { status, headers } = await put(path, address, listenerId(), progress);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([
      [200, 299],
      [429, 3],
    ]);
    expect((await put(`/api/progress/${episode}`, address, known, progress)).status).toBe(200);
    expect((await put(`/api/favorites/${episode}`, "203.0.113.78", listenerId())).status).toBe(200);
    const create = (path: string, id: string) =>
      put(path, address, id, { name: "Recently Played" }, "POST").then(({ status }) => status);
    for (const path of ["/api/playlists", "/api/playlists/smart"]) {
      expect(await create(path, known)).toBe(201);
      expect(await create(path, listenerId())).toBe(429);
    }
  });

  it("is not counted for an episode that is not published", async () => {
    const answer = await put("/api/favorites/999999", "203.0.113.79", listenerId());
    expect(answer.status).toBe(404);
  });
});
