import { inject } from "vitest";
import type { Context } from "#worker/platform/context.ts";
import { contextOf, ownerContext } from "./client.ts";
import { unique } from "./factories.ts";
import { still } from "./imports.ts";
import type { Account, ServedPost } from "./linkedin-server.ts";

const serverUrl = () => `http://127.0.0.1:${inject("linkedIn")}`;

/** An account at the LinkedIn of the tests, and contexts that have its token. */
export async function anAccount(setup: Partial<Account>, options: Partial<Context> = {}) {
  const token = `t-${crypto.randomUUID()}`;
  const send = (method: string, body?: object) =>
    fetch(`${serverUrl()}/account`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    });
  await (await send("PUT", setup)).body?.cancel();
  const owner = ownerContext({ ...still, ...options });
  const config = {
    ...owner.config,
    linkedIn: { token, url: serverUrl(), version: "202610" },
    loopback: true,
  };
  return {
    owner: { ...owner, config },
    job: contextOf({ kind: "job", name: "test" }, { ...still, ...options, config }),
    /** Its requests, and its remaining faults. */
    seen: async () => (await (await send("GET")).json()) as Account,
    /** Resets it. */
    set: async (again: Partial<Account>) => void (await (await send("PUT", again)).body?.cancel()),
  };
}

const DAY = 86_400_000;
let last = 7_000_000_000;

/** A post as the API answers it, so many days old. */
export function servedPost(daysAgo: number, fields: object = {}): ServedPost {
  const at = Date.now() - daysAgo * DAY;
  return {
    id: `urn:li:share:${++last}${unique()}`.replaceAll(/[^\w:]/g, ""),
    author: "urn:li:person:yrZCpj2Z12",
    commentary: `A post of ${daysAgo} days ago.`,
    visibility: "PUBLIC",
    lifecycleState: "PUBLISHED",
    createdAt: at - 30,
    publishedAt: at,
    lastModifiedAt: at,
    distribution: { feedDistribution: "MAIN_FEED", thirdPartyDistributionChannels: [] },
    lifecycleStateInfo: { isEditedByAuthor: false },
    isReshareDisabledByAuthor: false,
    ...fields,
  };
}
