import { describe, expect, it } from "vitest";
import { routeScopes } from "#worker/access/scopes.ts";
import { components, operations } from "#worker/openapi/operations.ts";
import { bodies, withoutBody } from "./load/bodies.ts";
import { fetchSite } from "./support/client.ts";
import { anEpisode } from "./support/factories.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { security: { token?: string[] }[]; operationId: string }>>;
};
const read = async () => (await fetchSite("/api/openapi.json")).json<Document>();

describe("/api/openapi.json", () => {
  it("has each route that tokens reach, with its scopes, and no other", async () => {
    expect([...operations.keys()].toSorted()).toEqual([...routeScopes.keys()].toSorted());
    const { paths } = await read();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        security.flatMap(({ token = [] }) => token),
      ]),
    );
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(routeScopes));
  });

  it("has the schema of each body that its route takes", () => {
    for (const [route, { body }] of operations) {
      if (route.startsWith("GET ") || route.startsWith("DELETE ")) expect(body).toBeUndefined();
      else if (body === "bytes" || body === undefined) expect(withoutBody).toContain(route);
      // A part of a letter is enough for its check.
      else if (!route.endsWith("/check")) expect(body).toBe(bodies[route]);
    }
  });

  it("names each operation once", async () => {
    const ids = Object.values((await read()).paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("has the shape of what is answered", async () => {
    const token = await tokenWith(["articles:write", "episodes:write"]);
    const ask = async (path: string, body: unknown) => (await byToken(token, "POST", path, body)).json();
    const { EditableArticle, EditableEpisode, Upload } = components;
    EditableArticle.parse(await ask("/admin/articles", { title: "A title" }));
    EditableEpisode.parse(await ask("/admin/episodes", anEpisode({ status: "draft" })));
    const file = { name: "a.mp3", type: "audio/mpeg", size: 9, folder: "podcast-audio" };
    Upload.parse(await ask("/admin/files", file));
  });

  it("may be read by programs of other sites", async () => {
    const { headers } = await fetchSite("/api/openapi.json");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});

describe("/api/docs", () => {
  it("shows each operation, and runs no script", async () => {
    const response = await fetchSite("/api/docs");
    const policy = response.headers.get("Content-Security-Policy")!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    const text = await response.text();
    expect(text).not.toContain("<script");
    expect(text).toContain("A list is <code>{ items, next }</code>;");
    expect(text).not.toContain("`");
    for (const { operationId } of Object.values((await read()).paths).flatMap((of) => Object.values(of)))
      expect(text).toContain(`id="${operationId}"`);
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    expect(policy).toContain(new Uint8Array(digest).toBase64());
  });
});
