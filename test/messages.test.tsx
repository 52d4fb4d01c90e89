import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as login from "#site/admin/auth/login.tsx";
import * as resetPassword from "#site/admin/auth/reset-password.tsx";
import * as setup from "#site/admin/auth/setup.tsx";
import * as verifyAgain from "#site/admin/auth/verify-again.tsx";
import * as verifyEmail from "#site/admin/auth/verify-email.tsx";
import * as articles from "#site/admin/articles/list.tsx";
import * as categories from "#site/admin/articles/categories.tsx";
import { isFormResult } from "#site/admin/form/result.ts";
import * as application from "#site/admin/guests/application.tsx";
import * as applications from "#site/admin/guests/applications.tsx";
import * as bookings from "#site/admin/guests/bookings.tsx";
import * as comments from "#site/admin/guests/comments/list.tsx";
import * as contactMessages from "#site/admin/guests/messages.tsx";
import * as person from "#site/admin/guests/person/page.tsx";
import * as episodes from "#site/admin/podcast/list.tsx";
import { errorWords as podcastWords } from "#site/admin/podcast/episode-types.ts";
import * as campaigns from "#site/admin/press/campaigns/list.tsx";
import * as campaignPage from "#site/admin/press/campaigns/campaign.tsx";
import * as press from "#site/admin/press/list.tsx";
import * as posts from "#site/admin/press/posts/list.tsx";
import * as postPage from "#site/admin/press/posts/post.tsx";
import * as pressItemPage from "#site/admin/press/press-item.tsx";
import * as speaking from "#site/admin/speaking/tab.tsx";
import { toast } from "#site/admin/shell/toast.tsx";
import * as users from "#site/admin/users/tab.tsx";
import * as ventures from "#site/admin/ventures/list.tsx";
import * as venturePage from "#site/admin/ventures/venture.tsx";

/**
 * The messages of the specification's catalogue that a screen writes itself, as its own action returns them after these
 * API responses. The API's own messages are checked by its tests; labels and empty lists, by browser tests.
 */

type Answer = { status: number; body?: object } | "no connection";

const lost: Answer = "no connection";
const internal: Answer = {
  status: 500,
  body: { error: { code: "internal", message: "Something went wrong." } },
};
const gone: Answer = { status: 404, body: { error: { code: "not_found", message: "It is gone." } } };
const forbidden: Answer = { status: 403, body: { error: { code: "forbidden", message: "" } } };
const done: Answer = { status: 200, body: {} };
const deleted: Answer = { status: 204 };

type Screen = { clientAction: (args: never) => Promise<unknown> };
type Values = Record<string, string>;

const said = { success: [] as string[], error: [] as string[] };

beforeEach(() => {
  said.success = [];
  said.error = [];
  vi.spyOn(toast, "success").mockImplementation((title) => void said.success.push(String(title)));
  vi.spyOn(toast, "error").mockImplementation((title) => void said.error.push(title));
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Submits a screen's form while the API responds as given. Returns the result that the form shows. */
async function send({ clientAction }: Screen, answer: Answer, values: Values, query = "") {
  vi.stubGlobal("fetch", () =>
    answer === "no connection"
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(
          new Response(answer.body ? JSON.stringify(answer.body) : null, { status: answer.status }),
        ),
  );
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const request = new Request(`https://site.example/${query}`, { method: "POST", body });
  const answered = await clientAction({ request, params: { id: "1" } } as never);
  const data = answered && typeof answered === "object" && "data" in answered ? answered.data : answered;
  return isFormResult(data) ? (data.errors?.message ?? null) : null;
}

/** A screen at the address of an item that is not saved yet. */
const ofNew = ({ clientAction }: Screen): Screen => ({
  clientAction: ({ request }: { request: Request }) =>
    clientAction({ request, params: { id: "new" } } as never),
});

const somebody = { email: "a@example.com", fullName: "A", password: "A quiet verandah 7" };
const chosen = { password: somebody.password, confirmPassword: somebody.password };

describe("messages in the form", () => {
  test.each<[message: string, screen: Screen, answer: Answer, values: Values]>([
    ["An error occurred during login. Please try again.", login, lost, { intent: "log-in", ...somebody }],
    ["An error occurred during login. Please try again.", login, internal, { intent: "log-in", ...somebody }],
    ["An error occurred. Please try again.", login, internal, { intent: "reset-password", ...somebody }],
    ["An error occurred. Please try again.", resetPassword, lost, chosen],
    ["Failed to create admin account", setup, internal, { ...somebody, ...chosen }],
    ["It is gone.", setup, gone, { ...somebody, ...chosen }],
    ["Failed to send verification email", setup, lost, { intent: "resend", ...somebody }],
    ["Failed to send verification email", verifyAgain, internal, somebody],
    ["Failed to verify email. Please try again.", verifyEmail, internal, somebody],
    ["An unexpected error occurred", users, lost, { intent: "add", role: "user", ...somebody }],
    ["Error: Something went wrong.", users, internal, { intent: "add", role: "user", ...somebody }],
    ["Operation failed: It is gone.", users, gone, { intent: "delete", id: "x" }],
    ["Operation failed: Unknown error", users, forbidden, { intent: "delete", id: "x" }],
  ])("the form shows “%s”", async (message, screen, answer, values) => {
    expect(await send(screen, answer, values)).toBe(message);
  });
});

const engagement = { title: "A talk", status: "upcoming" };
const venture = {
  intent: "save",
  name: "A venture",
  description: "What it does.",
  icon: "Star",
  active: "on",
};
const pressItem = { intent: "save", type: "press_release", title: "A", date: "2026-03-04", summary: "S" };
const campaign = { intent: "save", title: "Sign", embedUrl: "https://a.example/" };
const post = { intent: "save", platform: "linkedin", author: "A", content: "Said.", date: "1" };
const removal = { intent: "delete", id: "1" };
const approval = { intent: "approve", id: "1" };
const rejection = { intent: "reject", id: "1" };
const mail = { intent: "email", id: "1", subject: "S", message: "M" };
const conflict: Answer = {
  status: 409,
  body: { error: { code: "conflict", message: "This application is already rejected." } },
};

describe("messages as an error toast", () => {
  test.each<[message: string, screen: Screen, answer: Answer, values: Values]>([
    ["Failed to save speaking engagement", speaking, internal, { intent: "add", ...engagement }],
    ["Failed to delete speaking engagement. It is gone.", speaking, gone, removal],
    ["Failed to save venture", ofNew(venturePage), internal, venture],
    ["Failed to delete venture. It is gone.", ventures, gone, removal],
    ["Failed to save media item", ofNew(pressItemPage), internal, pressItem],
    ["Failed to delete media item. It is gone.", press, gone, removal],
    ["Failed to save campaign", ofNew(campaignPage), internal, campaign],
    ["Failed to delete campaign. It is gone.", campaigns, gone, removal],
    ["Failed to save social post", ofNew(postPage), internal, post],
    ["Failed to delete social post. It is gone.", posts, gone, removal],
    ["Error deleting episode: It is gone.", episodes, gone, removal],
    ["Operation failed: Unknown error", users, forbidden, { intent: "delete", id: "x" }],
    ["Failed to update application status", applications, lost, approval],
    ["Failed to update application status", application, internal, rejection],
    [
      "Failed to update application status. This application is already rejected.",
      applications,
      conflict,
      approval,
    ],
    ["Failed to send email", applications, lost, mail],
    ["Failed to send email", application, internal, mail],
    ["It is gone.", articles, gone, removal],
    ["It is gone.", categories, gone, removal],
  ])("an error toast shows “%s”", async (message, screen, answer, values) => {
    await send(screen, answer, values);
    expect(said).toEqual({ success: [], error: [message] });
  });
});

describe("messages as a success toast", () => {
  test.each<[message: string, screen: Screen, answer: Answer, values: Values, query?: string]>([
    ["Speaking engagement created successfully", speaking, done, { intent: "add", ...engagement }],
    [
      "Speaking engagement updated successfully",
      speaking,
      done,
      { intent: "edit", ...engagement },
      "?edit=1",
    ],
    ["Speaking engagement deleted successfully", speaking, deleted, removal],
    ["Application approved successfully", applications, done, approval],
    ["Application rejected successfully", application, done, rejection],
    ["Email sent successfully", applications, done, mail],
    ["All their data is deleted", person, done, { intent: "delete", email: "a@example.com" }],
    ["Venture deleted successfully", ventures, deleted, removal],
    ["Media item created successfully", ofNew(pressItemPage), done, pressItem],
    ["Media item updated successfully", pressItemPage, done, pressItem],
    ["Media item deleted successfully", press, deleted, removal],
    ["Campaign created successfully", ofNew(campaignPage), done, campaign],
    ["Campaign deleted successfully", campaigns, deleted, removal],
    ["Social post created successfully", ofNew(postPage), done, post],
    ["Social post deleted successfully", posts, deleted, removal],
    ["Episode deleted successfully!", episodes, deleted, removal],
    ["User created successfully!", users, done, { intent: "add", role: "user", ...somebody }],
    ["User updated successfully!", users, done, { intent: "edit", role: "user", ...somebody }, "?edit=x"],
    ["Article deleted successfully!", articles, deleted, removal],
    ["Category deleted successfully!", categories, deleted, removal],
  ])("a success toast shows “%s”", async (message, screen, answer, values, query) => {
    await send(screen, answer, values, query);
    expect(said).toEqual({ success: [message], error: [] });
  });
});

test("the podcast's forms put “Error:” before the message", () => {
  expect(podcastWords.toast?.("It is gone.")).toBe("Error: It is gone.");
});

describe("messages in place of a list", () => {
  test.each<[message: string, screen: { ErrorBoundary: ComponentType<never> }]>([
    ["Failed to load speaking engagements", speaking],
    ["Failed to load applications", applications],
    ["Failed to load messages", contactMessages],
    ["Failed to load bookings", bookings],
    ["Failed to fetch comments", comments],
    ["Failed to fetch ventures", ventures],
    ["Failed to fetch media items", press],
    ["Failed to fetch campaigns", campaigns],
    ["Failed to fetch social posts", posts],
  ])("in place of its list a page shows “%s”", (message, { ErrorBoundary }) => {
    const error = new Error("D1 is away");
    const Boundary = ErrorBoundary as ComponentType<{ error: unknown }>;
    const Page = createRoutesStub([{ path: "/", Component: () => <Boundary error={error} /> }]);
    const html = renderToString(<Page />);
    expect(html).toContain(`${message}</h1>`);
    expect(html).toContain("Try again");
    expect(html).not.toContain("D1 is away");
  });
});
