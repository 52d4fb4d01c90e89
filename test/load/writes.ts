import { randomBytes } from "node:crypto";
import { LISTENER_HEADER } from "#worker/playlists/contract.ts";
import type { Addresses } from "./addresses.ts";
import { pick, type Answer, type Client } from "./client.ts";

/** Does one kind of write; the rounds and the actors of a soak choose among them. */
export type Write = () => Promise<unknown>;

const listener = () => ({ [LISTENER_HEADER]: `user_${randomBytes(16).toString("base64url")}` });

/** What listeners write, each as a new one. */
export const listenerWrites = (client: Client, { episodes }: Addresses) =>
  ({
    favourite: async () => {
      const headers = listener();
      await client.send("PUT", `/api/favorites/${pick(episodes)}`, undefined, headers);
      await client.send("DELETE", `/api/favorites/${pick(episodes)}`, undefined, headers);
    },
    progress: () =>
      client.send(
        "PUT",
        `/api/progress/${pick(episodes)}`,
        { progressSeconds: Math.random() * 60, completed: false },
        listener(),
      ),
    playlist: async () => {
      const headers = listener();
      const made = await client.send(
        "POST",
        "/api/playlists",
        { name: "On the train", isPublic: true },
        headers,
      );
      const { id } = jsonOf<{ id: string }>(made)!;
      await client.send("POST", `/api/playlists/${id}/items`, { episodeId: pick(episodes) }, headers);
      await client.ask(`/playlists/${id}`);
      await client.send("PATCH", `/api/playlists/${id}`, { name: "On the tram" }, headers);
      await client.ask(`/rss/playlists/${id}.xml`);
      await client.send("DELETE", `/api/playlists/${id}`, undefined, headers);
    },
  }) satisfies { [name: string]: Write };

/** What visitors send. */
export const visitorWrites = (client: Client, { episodes }: Addresses) =>
  ({
    comment: async () => {
      const contentId = pick(episodes);
      await client.send("POST", "/api/comments", {
        contentType: "episode",
        contentId,
        name: "A visitor",
        email: anAddress(),
        text: "The lease was for a year.",
      });
      await client.ask(`/api/comments?contentType=episode&contentId=${contentId}`);
    },
    application: () =>
      client.send("POST", "/api/guest-applications", {
        name: "A visitor",
        email: anAddress(),
        linkedinProfile: "linkedin.com/in/a-visitor",
        topic: "Rent",
        position: "It is too high.",
        consent: true,
      }),
    booking: () =>
      client.send("POST", "/api/speaking-bookings", {
        name: "A visitor",
        email: anAddress(),
        organization: "A library",
        eventName: "An evening",
        engagementType: "panel",
        honorarium: "paid",
      }),
    subscription: () => client.send("POST", "/api/newsletter/subscribe", { email: anAddress() }),
    message: () =>
      client.send("POST", "/api/contact-messages", {
        name: "A visitor",
        email: anAddress(),
        subject: "A correction",
        message: "The figure is of last year.",
      }),
    beacon: async () => {
      const about = { contentType: "page", contentId: "/", userId: null, sessionId: `tab-${++tabs}-session` };
      const event = (eventType: string, metadata: object) => ({
        eventType,
        ...about,
        metadata: { timestamp: Date.now(), ...metadata },
      });
      const events = [event("page_view", {}), event("scroll_depth", { scrollDepth: 50 })];
      const headers = {
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
      };
      const answer = await client.send("POST", "/api/analytics/events", { events }, headers);
      client.expect(answer, ({ status }) => status === 202, "a beacon");
    },
    "password reset": () => client.send("POST", "/api/admin/password-reset", { email: anAddress() }),
    "failed login": () =>
      client.send("POST", "/api/admin/session", { email: anAddress(), password: "isn’t the password" }),
  }) satisfies { [name: string]: Write };

let tabs = 0;
const anAddress = () => `${randomBytes(6).toString("hex")}@example.com`;

/** What the owner does; all of it is to succeed. */
export const ownerWrites = (client: Client, cookie: string, { episodes }: Addresses) => {
  const headers = { Cookie: cookie };
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await client.send(method, `/api/admin${path}`, body, headers);
    client.expect(answer, ({ status }) => status < 300, `${method} ${path}`);
    return answer;
  };
  const read = async <T>(path: string) => jsonOf<T>(await client.ask(`/api/admin${path}`, { headers }));
  let count = 0;
  return {
    "edit of an episode": async () => {
      const id = pick(episodes);
      const title = `A title that was edited ${++count} times`;
      await send("PATCH", `/episodes/${id}`, { title });
      const page = await client.ask(`/episode/${id}`, { headers });
      client.expect(page, ({ body }) => body.includes("A title that was edited"), "the edited page");
    },
    "publication of an episode": async () => {
      const { values } = (await read<{ values: { audioFileId: string } }>(`/episodes/${pick(episodes)}`))!;
      const made = await send("POST", "/episodes", {
        title: `A new episode ${++count}`,
        description: "What it is about.",
        episodeNumber: 1000 + count,
        status: "published",
        audioFileId: values.audioFileId,
        allowDuplicateAudio: true,
      });
      const { id } = jsonOf<{ id: number }>(made)!;
      const page = await client.ask(`/episode/${id}`);
      client.expect(page, ({ status }) => status === 200, "the new episode's page");
      await send("DELETE", `/episodes/${id}`);
    },
    show: async () => {
      const { show } = (await read<{ show: Record<string, unknown> }>("/show"))!;
      const { id: _, guid: __, feedChangedAt: ___, updatedAt: ____, ...input } = show;
      await send("PUT", "/show", { ...input, subtitle: `Edited ${++count} times` });
    },
    upload: async () => {
      const text = randomBytes(2048).toString("hex");
      const file = { name: "notes.txt", type: "text/plain", size: text.length, folder: "uploads" };
      const { id } = jsonOf<{ id: string }>(await send("POST", "/files", file))!;
      await client.ask(`/api/admin/files/${id}/parts/1`, { method: "PUT", headers, body: text });
      const complete = jsonOf<{ url: string }>(await send("POST", `/files/${id}/complete`))!;
      const stored = await client.ask(complete.url);
      client.expect(stored, ({ body }) => body.toString() === text, "the uploaded file");
      await send("DELETE", `/files/${id}`);
    },
    account: () => send("PATCH", "/account", { fullName: `The Owner ${++count}` }),
    settings: async () => {
      const { site } = (await read<{ site: { name: string; features: object } }>("/settings"))!;
      await send("PUT", "/settings", { name: site.name, features: { ...site.features, comments: true } });
    },
    "import of articles": async () => {
      const items = Array.from({ length: 3 }, () => ({
        title: `An older article ${++count}`,
        content: "What it says.",
        newStatus: "published",
        publishedAt: 1_600_000_000_000 + count,
      }));
      const answer = await send("POST", "/imports/articles", { isDryRun: false, items });
      const results = jsonOf<{ items: { id: number | null; message: string | null }[] }>(answer)?.items ?? [];
      client.expect(
        answer,
        () => results.length === items.length && results.every(({ id }) => id !== null),
        `an import: ${results[0]?.message}`,
      );
      for (const { id } of results) await send("DELETE", `/articles/${id}`);
    },
    letter: async () => {
      // The count starts again after the restart of the site, which keeps its subscribers.
      const source = `soak-${randomBytes(6).toString("hex")}`;
      for (let reader = 0; reader < 3; reader++)
        await send("POST", "/subscribers", { email: anAddress(), source, consent: "On paper.", ask: false });
      const segment = { sources: [source], since: null, until: null };
      const made = await send("POST", "/newsletters", { subject: "On rent", content: "Words.", segment });
      const path = `/newsletters/${jsonOf<{ id: number }>(made)!.id}`;
      await send("POST", `${path}/send`, {});
      const sent = await read<{ counts: { recipients: number } }>(path);
      client.expect(made, () => sent?.counts.recipients === 3, "a letter to three readers");
    },
    user: async () => {
      const made = await send("POST", "/users", { email: anAddress(), fullName: "A Person", role: "editor" });
      await send("DELETE", `/users/${jsonOf<{ id: string }>(made)!.id}`);
    },
  } satisfies { [name: string]: Write };
};

const jsonOf = <T>(answer: Answer | null) => (answer ? (JSON.parse(answer.body.toString()) as T) : null);
