import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPasskeySignIn } from "#worker/accounts/passkey-commands.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { addUser, anAddress, CHOSEN, PASSWORD } from "./support/accounts.ts";
import { publishedArticle } from "./support/articles.ts";
import { cookieFor, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { aComment } from "./support/comments.ts";
import { faultyBindings, outageFrom, type BindingCall } from "./support/faults.ts";
import { aMessage, typed } from "./support/forms.ts";
import { forgetKind, kindOf } from "./support/imports.ts";
import { prepare } from "./support/invalidated-site.ts";
import { writes } from "./support/invalidating-writes.ts";
import { forgetRates } from "./support/rates.ts";
import { seenWrites } from "./support/seen-writes.ts";
import { validWrites, withPasskey, type ValidWrite } from "./support/valid-writes.ts";
import worker from "./support/worker.ts";

/**
 * Work after a finished write never turns its answer into a failure. Each command is called while an outage of all
 * bindings begins at its first call, then at its second, and so on until it succeeds: every call that failed must have
 * written nothing.
 */

/** What counts attempts may be written before a failure. */
const COUNTERS = ["rate_limits", "login_attempts", "signing_keys"];

/** More calls than a command makes. */
const MOST_CALLS = 80;

/** The owner's context in an outage. */
function contextInOutage(first: number) {
  const { env: faulty, calls } = faultyBindings(env, outageFrom(first));
  const { actor, client, now, clock } = ownerContext();
  return { ctx: { ...createContext(faulty, { actor, client }), now, clock } as Context, calls };
}

const writtenBy = (calls: BindingCall[]) => [
  ...new Set(calls.flatMap(({ changed }) => changed).filter((table) => !COUNTERS.includes(table))),
];

/** The tables written by a call that failed, with the call of a binding that failed it. */
async function findWrittenThenFailed(write: ValidWrite) {
  const found: string[] = [];
  for (let first = 0; first < MOST_CALLS; first++) {
    const { ctx, calls } = contextInOutage(first);
    // Each try counts as one.
    await env.DB.exec("delete from login_attempts");
    try {
      await write(ctx);
      return { found, writes: writtenBy(calls), calls: calls.length };
    } catch (error) {
      const failed = calls[first];
      if (!failed) throw error;
      const tables = writtenBy(calls);
      if (tables.length > 0 && !(error instanceof AppError && error.code === "conflict"))
        found.push(
          `${failed.binding}.${failed.method} after ${tables.join(", ")}: ${failed.queries[0] ?? ""}`,
        );
    }
  }
  return expect.fail("It never succeeds.");
}

/** Commands of crons and queues: they have no answer, and are run again. */
const jobs = [
  "publishDueEpisodes",
  "publishDueArticles",
  "sendDueLetters",
  "pruneListeners",
  "makeVariants",
  "renderSlice",
  "renderStoredTexts",
  "storeFirstGuids",
  "placesOf",
];
/**
 * Each writes in several batches, and continues when it is called again; or, for a feed, begins again: no list has a plan
 * that is not whole, and the sweep deletes it.
 */
const inSteps = ["uploadPart", "completeUpload", "createFeedImport"];

/** Statements for other batches, commands that write nothing or only by others, and those of crons and queues. */
const others = `
  endOf signInOf adminOf isFirstSignIn requireCurrentPassword startPasskey startPasskeySignIn
  startMemberPasskey startMemberPasskeySignIn
  limitMails limitRenames limitUserMails sendTest sendTestMail recordEvents
  renderArticles importPost
  deliverAccountRequest endPauses pruneAnalytics pruneCspReports pruneMailEvents pruneSessions pruneUnconfirmed
  pruneUnconfirmedComments pruneUnconfirmedEnquiries blockBadAddresses blockSubscriber clearSoftBounces
  countSoftBounce unsubscribeAfterComplaint continueBackups beginNightlyCopy beginWeeklyDrill watchBackups copyNow drillNow
  createRestore addPiece startRestore beginObject storeObjectPart completeObject
  startCheckout openPortal testPaymentKeys
  pruneBin exportAccount joinLetters leaveLetters forgetChoices chooseTopicsOf
`
  .trim()
  .split(/\s+/);

const ownCalls = Object.entries({ ...validWrites, ...seenWrites }).filter(
  ([name]) => !inSteps.includes(name) && (name in validWrites || !(name in writes)),
);

const ofRequests = Object.entries(writes).filter(
  ([name]) => ![...jobs, ...inSteps, ...Object.keys(validWrites)].includes(name),
);

beforeAll(async () => {
  await prepare();
  kindOf(async () => ({ is: "done" }) as never)["test"]!.brings = "article";
});
beforeEach(forgetRates);
afterAll(() => void forgetKind());

describe("a command that has written answers with success, whatever fails afterwards:", () => {
  it.each(ownCalls)("%s", async (_, prepareWrite) => {
    const { found, writes: tables } = await findWrittenThenFailed(await prepareWrite());
    expect(found).toEqual([]);
    expect(tables).not.toEqual([]);
  });

  it.each(ofRequests)("%s", async (_, cases) => {
    for (const [, write] of cases) {
      const { found, calls } = await findWrittenThenFailed(write);
      expect(found).toEqual([]);
      // A case that ignores its context passes without an outage.
      expect(calls).toBeGreaterThan(0);
    }
  });
});

/** Requests whose route does something after the command: cookies, an account, the page of a form without scripts. */
const requests: Record<string, () => Promise<[path: string, init: RequestInit]>> = {
  "a sign-in that ends an older session": async () => {
    const user = await addUser();
    return asJson("/api/admin/session", { email: user.email, password: PASSWORD }, await cookieFor(user));
  },
  "a sign-in by passkey that ends an older session": async () => {
    const { user, authenticator } = await withPasskey();
    const answer = await authenticator.get(await startPasskeySignIn(visitorContext()));
    return asJson("/api/admin/session/passkey", answer, await cookieFor(user));
  },
  "a new password": async () => {
    const passwords = { currentPassword: PASSWORD, password: CHOSEN };
    return asJson("/api/admin/account/password", passwords, await cookieFor(await addUser()));
  },
  "a comment without scripts": async () => {
    const comment = aComment((await publishedArticle()).id);
    return asForm("/api/comments", { ...comment, form: "comment" });
  },
  "a message without scripts": async () => asForm("/api/contact-messages", typed("message", aMessage())),
  "a sign-up without scripts": async () =>
    asForm("/api/newsletter/subscribe", { email: anAddress(), form: "footer" }),
};

const asJson = (path: string, body: object, cookie: string): [string, RequestInit] => [
  path,
  { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) },
];

const asForm = (path: string, fields: object): [string, RequestInit] => {
  const shownAt = String(Date.now() - 60_000);
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
    Referer: `${SITE}/contact`,
  };
  const body = new URLSearchParams({ shownAt, leaveEmpty: "", ...fields }).toString();
  return [path, { method: "POST", headers, body }];
};

describe("a request that has written is answered with success, whatever fails afterwards:", () => {
  it.each(Object.entries(requests))("%s", async (_, prepareRequest) => {
    for (let first = 0; first < MOST_CALLS; first++) {
      // Another one each time: the challenge of a passkey works once, also if the request then fails.
      const [path, init] = await prepareRequest();
      const { env: faulty, calls } = faultyBindings(env, outageFrom(first));
      const execution = createExecutionContext();
      const request = new Request(`${SITE}${path}`, { redirect: "manual", ...init });
      const { status, headers } = await worker.fetch(request as never, faulty, execution);
      const tables = writtenBy(calls);
      await waitOnExecutionContext(execution);
      if (status < 400) {
        expect(tables).not.toEqual([]);
        return expect(headers.get("Location") ?? "").not.toContain("failed");
      }
      expect([first, status, tables]).toEqual([first, 503, []]);
    }
    expect.fail("It never succeeds.");
  });
});

it("calls every command", () => {
  const sources = import.meta.glob<string>(["../worker/*/*commands.ts", "../worker/*/*/*commands.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const found = Object.values(sources)
    .flatMap((source) => [...source.matchAll(/^export (?:async )?(?:function|const) ([a-z]\w+)/gm)])
    .map(([, name = ""]) => name);
  const called = [...Object.keys({ ...validWrites, ...seenWrites }), ...Object.keys(writes), ...others];
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter((name) => !called.includes(name))).toEqual([]);
});
