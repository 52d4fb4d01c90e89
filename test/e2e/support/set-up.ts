import assert from "node:assert/strict";
import type { Site } from "./site.ts";

export const OWNER = "owner@example.com";
export const OWNER_NAME = "Imogen Tarrant";
export const PASSWORD = "a long and quiet verandah";

/** Sets the admin area up by the API, with the link of the mail. */
export async function setUpOwner(site: Site) {
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json", Origin: site.url };
    const url = `${site.url}/api/admin/${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.text());
  };
  await post("setup", { email: OWNER, fullName: OWNER_NAME, password: PASSWORD });
  const token = new URL((await site.mailTo(OWNER)).link).searchParams.get("token");
  await post("verification/confirm", { token, password: PASSWORD });
}
