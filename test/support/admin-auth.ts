import { beforeEach } from "vitest";
import { setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { outbox } from "#worker/platform/table.ts";
import { fetchSite, jobContext, visitorContext } from "./client.ts";
import { forgetRates } from "./rates.ts";

export const OWNER = "owner@example.com";

export async function open(path: string, cookie = "") {
  const response = await fetchSite(path, { headers: { cookie } });
  return { response, html: await response.text() };
}

export const setUp = () =>
  setUpAdmin(visitorContext(), { email: OWNER, fullName: "The Owner", password: "correct horse" });

/** Each test of the file begins without users. */
export const beginWithNobody = () =>
  beforeEach(async () => {
    await jobContext().db.delete(users);
    await jobContext().db.delete(outbox);
    await forgetRates();
  });
