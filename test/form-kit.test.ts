import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ApiError } from "#site/api.ts";
import { checkbox, number, readForm, rows, text, textToChange } from "#site/admin/form/read.ts";
import { act, basedOnOf, SESSION_ENDED, submit } from "#site/admin/form/submit.ts";

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

/** What a page is given: the answer, and the status that decides whether its loader runs again. */
async function answerTo(form: FormData, error: unknown, more = {}) {
  const send = () => Promise.reject(error as Error);
  const answer = await submit(form, { ...venture, send, ...more });
  if (!("init" in answer)) throw new Error("A form that was not saved answers with a status.");
  return { ...answer.data, status: answer.init?.status };
}

const conflict = (field?: string) => new ApiError(409, { code: "conflict", message: "Taken.", field });

test("a field that the form does not have is undefined, an emptied one is not", () => {
  const read = readForm(aForm({ name: "A", sortOrder: "2" }), venture);
  expect(read).toEqual({ input: { name: "A", sortOrder: 2, links: [] } });
  expect(readForm(aForm({ active: "" }), venture)).toMatchObject({ input: { active: false } });
  expect(readForm(aForm({ active: ["", "on"] }), venture)).toMatchObject({ input: { active: true } });
});

test("an emptied number is an error, and an emptied text to change is left as it is", () => {
  expect(readForm(aForm({ sortOrder: " ", password: "" }), venture)).toEqual({
    errors: { fields: { sortOrder: "Enter a whole number." } },
  });
  expect(readForm(aForm({ password: "" }), venture)).toEqual({ input: { name: "Harbour", links: [] } });
});

test("an error of a row belongs beside its group; one of no field at all to the form as a whole", () => {
  expect(readForm(aForm({ "links.href": ["nowhere"] }), venture)).toEqual({
    errors: { fields: { links: "Enter an address." } },
  });
  const form = aForm();
  form.delete("name");
  const message = Venture.shape.name.safeParse(undefined).error?.issues[0]?.message;
  expect(readForm(form, venture)).toEqual({ errors: { fields: {}, message } });
});

test("nothing is sent while the contract is not met, and no loader runs", async () => {
  const send = vi.fn();
  const answer = await submit(aForm({ name: " " }), { ...venture, send });
  expect(send).not.toHaveBeenCalled();
  expect(answer).toMatchObject({
    data: { intent: "save", errors: { fields: { name: "Name is required" } } },
    init: { status: 422 },
  });
});

test("a success says what `send` returns, and names the form", async () => {
  const answer = await submit(aForm({ intent: "edit" }), { ...venture, send: async () => "Saved." });
  expect(answer).toEqual({ intent: "edit", at: expect.any(Number), errors: null });
});

test("an API error stands beside its field if the form has it, else it is about the form", async () => {
  expect(await answerTo(aForm(), conflict("name"))).toMatchObject({
    errors: { fields: { name: "Taken." } },
    status: 422,
  });
  expect((await answerTo(aForm(), conflict("slug"))).errors).toMatchObject({ fields: {}, message: "Taken." });
});

test("a 409 of a form that says what it is based on is a conflict, which may be overwritten", async () => {
  const form = aForm({ basedOn: "1700000000000" });
  expect((await answerTo(form, conflict())).errors).toMatchObject({ isConflict: true, message: "Taken." });
  expect((await answerTo(aForm(), conflict())).errors).toMatchObject({ isConflict: false });
  expect((await answerTo(form, conflict("name"))).errors).not.toMatchObject({ isConflict: true });
  expect(basedOnOf(form)).toBe(1_700_000_000_000);
  form.set("overwrite", "yes");
  expect(basedOnOf(form)).toBeUndefined();
});

test("the end of the session, a lost connection and a bug each have words of their own", async () => {
  const messageOf = async (error: unknown, more = {}) =>
    (await answerTo(aForm(), error, more)).errors?.message;
  const ended = new ApiError(401, { code: "unauthenticated", message: "Please sign in." });
  const internal = new ApiError(500, { code: "internal", message: "Something went wrong." });
  expect(await messageOf(ended)).toBe(SESSION_ENDED);
  expect(await messageOf(internal)).toBe("Something went wrong.");
  expect(await messageOf(new TypeError("Failed to fetch"))).toContain("The connection was lost.");
  expect(await messageOf(new Error("A bug"))).toContain("What you typed is still here.");
  const words = { unexpected: "An error occurred. Please try again." };
  for (const error of [internal, new TypeError("Failed to fetch"), new Error("A bug")]) {
    expect(await messageOf(error, { words })).toBe(words.unexpected);
  }
  const failed = ({ message }: ApiError) => `Operation failed: ${message}`;
  expect(await messageOf(conflict(), { words: { failed } })).toBe("Operation failed: Taken.");
});

test("the page is read again only after an error that says it is out of date", async () => {
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
