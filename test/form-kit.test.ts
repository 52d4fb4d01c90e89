import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ApiError } from "#site/api.ts";
import {
  checkbox,
  number,
  numberOrNull,
  numberOrZero,
  object,
  readForm,
  rows,
  text,
  textToChange,
} from "#site/admin/form/read.ts";
import { act, basedOnOf, SESSION_ENDED, submit } from "#site/admin/form/submit.ts";
import { toast } from "#site/admin/shell/toast.tsx";

const Venture = z.strictObject({
  name: z.string().trim().min(1, "Name is required"),
  active: z.boolean().optional(),
  sortOrder: z.int("Enter a whole number.").optional(),
  password: z.string().optional(),
  links: z.array(z.strictObject({ href: z.url("Enter an address.") })).optional(),
});
const fields = {
  name: text,
  active: checkbox,
  sortOrder: number,
  password: textToChange,
  links: rows(["href"], ["href"]),
};
const venture = { fields, schema: Venture };

function aForm(values: Record<string, string | string[]> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "save", name: "Harbour", ...values })) {
    for (const one of [value].flat()) form.append(name, one);
  }
  return form;
}

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

/** What a page gets: the result, and the status that decides whether its loader runs again. */
async function answerTo(form: FormData, error: unknown, more = {}) {
  const send = () => Promise.reject(error as Error);
  const answer = await submit(form, { ...venture, send, ...more });
  if (!("init" in answer)) throw new Error("A form that was not saved answers with a status.");
  return { ...answer.data, status: answer.init?.status };
}

const conflict = (field?: string) => new ApiError(409, { code: "conflict", message: "Taken.", field });

test("a field that the form does not have is undefined, an empty one is not", () => {
  const read = readForm(aForm({ name: "A", sortOrder: "2" }), venture);
  expect(read).toEqual({ input: { name: "A", sortOrder: 2, links: [] } });
  expect(readForm(aForm({ active: "" }), venture)).toMatchObject({ input: { active: false } });
  expect(readForm(aForm({ active: ["", "on"] }), venture)).toMatchObject({ input: { active: true } });
});

test.each([
  ["", null, 0],
  [" ", null, 0],
  ["0", 0, 0],
  ["-1.5", -1.5, -1.5],
  ["many", Number.NaN, Number.NaN],
  [undefined, undefined, undefined],
])("the number %j is %j if empty means none, and %j if it means 0", (typed, orNull, orZero) => {
  const form = new FormData();
  if (typed !== undefined) form.set("audience", typed);
  expect(numberOrNull(form, "audience")).toBe(orNull);
  expect(numberOrZero(form, "audience")).toBe(orZero);
});

test("an emptied number is an error, and an emptied optional text is left unchanged", () => {
  expect(readForm(aForm({ sortOrder: " ", password: "" }), venture)).toEqual({
    errors: { fields: { sortOrder: "Enter a whole number." } },
  });
  expect(readForm(aForm({ password: "" }), venture)).toEqual({ input: { name: "Harbour", links: [] } });
});

test("a value that the browser cannot parse is an error beside its field, not an empty field", () => {
  const form = aForm({ name: "", unreadable: ["number sortOrder", "datetime-local scheduledFor"] });
  expect(readForm(form, venture)).toEqual({
    errors: {
      fields: {
        name: "Name is required",
        sortOrder: "Enter a number, or clear it.",
        scheduledFor: "Enter the whole date and time, or clear it.",
      },
    },
  });
  expect(readForm(aForm({ sortOrder: "1", unreadable: "date day" }), venture)).toEqual({
    errors: { fields: { day: "Enter the whole date, or clear it." } },
  });
});

test("an error of a row is shown beside its field, also after empty rows", () => {
  const form = aForm({ "links.href": ["", "https://example.com/", "nowhere"] });
  expect(readForm(form, venture)).toEqual({ errors: { fields: { "links.2.href": "Enter an address." } } });
});

test("an error of a single-value row is shown beside the value; one of a whole row, beside the group", () => {
  const host = z.string().regex(/^\w+$/, "Enter a host.");
  const hosts = (form: FormData, name: string) => rows(["host"])(form, name).map((row) => row.host);
  expect(
    readForm(aForm({ "hosts.host": ["a", "b c"] }), {
      fields: { hosts },
      schema: z.object({ hosts: z.array(host) }),
    }),
  ).toEqual({ errors: { fields: { "hosts.1.host": "Enter a host." } } });
  const range = z.object({ from: z.string(), to: z.string() }).refine(() => false, "Begin before the end.");
  expect(
    readForm(aForm({ "ranges.from": "2", "ranges.to": "1" }), {
      fields: { ranges: rows(["from", "to"]) },
      schema: z.object({ ranges: z.array(range) }),
    }),
  ).toEqual({ errors: { fields: { ranges: "Begin before the end." } } });
});

test("an object of fields may hold rows", () => {
  const figures = object({ asOf: text, rows: rows(["value"]) });
  const Figures = z.strictObject({
    asOf: z.string(),
    rows: z.array(z.strictObject({ value: z.string().min(1, "Enter the figure.") })),
  });
  const spec = { fields: { figures }, schema: z.strictObject({ figures: Figures }) };
  const values = { "figures.asOf": "2026-10", "figures.rows.value": ["1", "2"] };
  expect(readForm(aForm(values), spec)).toEqual({
    input: { figures: { asOf: "2026-10", rows: [{ value: "1" }, { value: "2" }] } },
  });
  expect(readForm(aForm({ ...values, "figures.rows.value": ["1", ""] }), spec)).toEqual({
    errors: { fields: { "figures.rows.1.value": "Enter the figure." } },
  });
});

test("an error without a field is shown for the whole form", () => {
  const form = aForm();
  form.delete("name");
  expect(readForm(form, venture)).toEqual({ errors: { fields: {}, message: "This is required." } });
});

test("an invalid form is not sent, and no loader runs", async () => {
  const send = vi.fn();
  const answer = await submit(aForm({ name: " " }), { ...venture, send });
  expect(send).not.toHaveBeenCalled();
  expect(answer).toMatchObject({
    data: { intent: "save", errors: { fields: { name: "Name is required" } } },
    init: { status: 422 },
  });
});

test("a success returns the result of `send`, and names the form", async () => {
  const answer = await submit(aForm({ intent: "edit" }), { ...venture, send: async () => "Saved." });
  expect(answer).toEqual({ intent: "edit", at: expect.any(Number), errors: null });
});

test("an API error is shown beside its field if the form has it, otherwise for the whole form", async () => {
  expect(await answerTo(aForm(), conflict("name"))).toMatchObject({
    errors: { fields: { name: "Taken." } },
    status: 422,
  });
  expect((await answerTo(aForm(), conflict("slug"))).errors).toMatchObject({ fields: {}, message: "Taken." });
});

test("a 409 of a form with a base version is a conflict, which may be overwritten", async () => {
  const form = aForm({ basedOn: "1700000000000" });
  expect((await answerTo(form, conflict())).errors).toMatchObject({ isConflict: true, message: "Taken." });
  expect((await answerTo(aForm(), conflict())).errors).toMatchObject({ isConflict: false });
  expect((await answerTo(form, conflict("name"))).errors).not.toMatchObject({ isConflict: true });
  expect(basedOnOf(form)).toBe(1_700_000_000_000);
  form.set("overwrite", "yes");
  expect(basedOnOf(form)).toBeUndefined();
});

test("an expired session, a lost connection and a bug have different messages", async () => {
  const messageOf = async (error: unknown, more = {}) =>
    (await answerTo(aForm(), error, more)).errors?.message;
  const ended = new ApiError(401, { code: "unauthenticated", message: "Please sign in." });
  const internal = new ApiError(500, { code: "internal", message: "Something went wrong." });
  expect(await messageOf(ended)).toBe(SESSION_ENDED);
  expect(await messageOf(internal)).toBe("Something went wrong.");
  expect(await messageOf(new TypeError("Failed to fetch"))).toBe(
    "The connection was lost, so it may not be saved. Your text is still here. Try again.",
  );
  expect(await messageOf(new Error("A bug"))).toContain("Your text is still here.");
  const words = { unexpected: "An error occurred. Please try again." };
  for (const error of [internal, new TypeError("Failed to fetch"), new Error("A bug")]) {
    expect(await messageOf(error, { words })).toBe(words.unexpected);
  }
  const failed = ({ message }: ApiError) => `Operation failed: ${message}`;
  expect(await messageOf(conflict(), { words: { failed } })).toBe("Operation failed: Taken.");
});

test("an action without a form returns no typed values", async () => {
  const toasted = vi.spyOn(toast, "error").mockImplementation(() => "");
  const toastOf = async (error: Error, words = {}) => {
    await act(aForm(), () => Promise.reject(error), words);
    return toasted.mock.lastCall?.[0];
  };
  const lost = "The connection was lost, so it may not be done. Try again.";
  expect(await toastOf(new TypeError("Failed to fetch"))).toBe(lost);
  const deleting = { toast: (why: string) => `Error deleting episode: ${why}` };
  expect(await toastOf(new TypeError("Failed to fetch"), deleting)).toBe(`Error deleting episode: ${lost}`);
  expect(await toastOf(new Error("A bug"))).toBe("Something went wrong. Try again.");
});

test("the page is only reloaded after an error that means it is out of date", async () => {
  const used = new ApiError(422, { code: "invalid", message: "Used.", field: "token" });
  expect(await answerTo(aForm(), used, { reloadOn: "token" })).toMatchObject({
    status: 200,
    errors: { message: "Used." },
  });
  expect((await answerTo(aForm(), used)).status).toBe(422);
  const statusAfter = async (error: unknown) => {
    const answer = await act(aForm(), () => Promise.reject(error as Error));
    return "init" in answer && answer.init?.status;
  };
  expect(await statusAfter(conflict())).toBe(200);
  expect(await statusAfter(new TypeError("Failed to fetch"))).toBe(422);
});
