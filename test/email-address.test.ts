import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  AddressChange,
  LoginInput,
  ResetRequest,
  SetupInput,
  UserInput,
  VerificationRequest,
} from "#worker/accounts/contract.ts";
import { listEnquiries } from "#worker/enquiries/owner/queries.ts";
import { createSubscriber } from "#worker/newsletter/owner-commands.ts";
import { SubscriberListQuery } from "#worker/newsletter/contract.ts";
import { listSubscribers } from "#worker/newsletter/owner-queries.ts";
import { PersonQuery } from "#worker/people/contract.ts";
import { readPerson } from "#worker/people/queries.ts";
import { email, inWords, optionalEmail } from "#worker/platform/contract.ts";
import { isAddress } from "#worker/platform/text/email-address.ts";
import { ownerContext } from "./support/client.ts";
import { aComment, setComments } from "./support/comments.ts";
import { publishedArticle } from "./support/articles.ts";
import { unique } from "./support/factories.ts";
import { errorOf, forms, mailsAbout, postJson, rowsOf } from "./support/forms.ts";
import { forgetRates } from "./support/rates.ts";

beforeEach(forgetRates);

const LETTER = "Please use another address: mail servers don’t accept letters such as “ö” before the @.";

describe("an email address", () => {
  // The ASCII forms are those that Python's `idna` and the registries give (UTS 46, non-transitional).
  it.each([
    ["info@müller.de", "info@xn--mller-kva.de"],
    ["Info@MÜLLER.DE", "info@xn--mller-kva.de"],
    [" info@mu\u0308ller.de ", "info@xn--mller-kva.de"],
    ["info@straße.de", "info@xn--strae-oqa.de"],
    ["info@例え。テスト", "info@xn--r8jz45g.xn--zckzah"],
    ["info＠ｅｘａｍｐｌｅ．com", "info@example.com"],
    ["info@пример.рф", "info@xn--e1afmkfd.xn--p1ai"],
    ["info@xn--mller-kva.de", "info@xn--mller-kva.de"],
    ["O'Hara+notes@Mail.Example.com", "o'hara+notes@mail.example.com"],
  ])("%j is stored as %s", (typed, stored) => {
    expect(email.parse(typed)).toBe(stored);
  });

  it.each([
    ["jörg@example.com", LETTER],
    ["jörg@müller.de", LETTER],
    ["jo\u0308rg@example.com", LETTER],
    ["почта@example.com", expect.stringContaining("such as “п”")],
    ["info@müller", "Email is invalid"],
    ["info@mül/ler.de", "Email is invalid"],
    ["info@mül ler.de", "Email is invalid"],
    ["info@１２７.０.０.１", "Email is invalid"],
    ["ö", "Email is invalid"],
    ["a@b@müller.de", "Email is invalid"],
    ["\u200binfo@example.com", "Email is invalid"],
    [`${"x".repeat(250)}@müller.de`, "Email is invalid"],
    ["", "Email is required"],
    [" ", "Email is required"],
  ])("%j is refused: %s", (typed, message) => {
    const { error } = email.safeParse(typed);
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it.each([
    "a@example.com",
    "a.b@example.com",
    ".a@example.com",
    "a..b@example.com",
    "a.@example.com",
    "a@-x.com",
    "a@x-.com",
    "a@example.c",
    "a@example",
    "a@@example.com",
    "a b@example.com",
    "a@exa_mple.com",
    "'a'@example.com",
    "a-@x.co",
    "a@1.com",
    "a@example.com.",
    "é@example.com",
    "a@x..com",
    '"a"@example.com',
    "a@[127.0.0.1]",
    "",
  ])("%j is valid if zod accepts it", (address) => {
    expect(isAddress(address)).toBe(z.regexes.email.test(address));
  });
});

describe("every form and screen", () => {
  it.each(Object.entries(forms))("takes a domain in another script: %s", async (_, { path, valid }) => {
    const host = `b${unique()}`;
    const sent = valid({ email: `Info@${host}-Müller.de` });
    expect((await postJson(path, sent)).status).toBe(200);
    const [row] = await rowsOf(new URL(`http://${host}-müller.de`).hostname.replace(/^/, "info@"));
    expect(row?.email).toMatch(/^info@xn--/);
    expect((await mailsAbout(row!.email)).toSender).toHaveLength(1);
    expect(await errorOf(await postJson(path, valid({ email: "jörg@example.com" })))).toMatchObject({
      field: "email",
      message: LETTER,
    });
  });

  it("takes one for the newsletter and for a comment", async () => {
    await setComments(true);
    const { id } = await publishedArticle();
    const address = "info@müller.de";
    expect((await postJson("/api/newsletter/subscribe", { email: address })).status).toBe(200);
    expect((await postJson("/api/comments", aComment(id, { email: address }))).status).toBe(200);
    for (const [path, body] of [
      ["/api/newsletter/subscribe", { email: "jörg@müller.de" }],
      ["/api/comments", aComment(id, { email: "jörg@müller.de" })],
    ] as const) {
      expect(await errorOf(await postJson(path, body))).toMatchObject({ field: "email", message: LETTER });
    }
  });

  it.each([
    [SetupInput, { fullName: "Jörg", password: "long enough it is" }],
    [LoginInput, { password: "x" }],
    [VerificationRequest, {}],
    [ResetRequest, {}],
    [AddressChange, { currentPassword: "x" }],
    [UserInput, { fullName: "Jörg" }],
    [PersonQuery, {}],
  ])("reads one at sign-in and in the admin area", (schema, rest) => {
    expect(schema.parse({ ...rest, email: "Info@Müller.de " })).toMatchObject({
      email: "info@xn--mller-kva.de",
    });
  });

  it("keeps the owner's own addresses as typed, but for the domain", () => {
    expect(optionalEmail.parse("Info@Müller.de")).toBe("Info@xn--mller-kva.de");
    expect(optionalEmail.parse("")).toBe("");
    expect(optionalEmail.safeParse("jörg@example.com", { error: inWords }).error?.issues[0]?.message).toMatch(
      /don’t accept letters/,
    );
  });
});

describe("a search for an address", () => {
  const host = "bücher.example";
  const ascii = "xn--bcher-kva.example";

  it("finds a subscriber by either form", async () => {
    const name = `reader-${unique()}`;
    await createSubscriber(ownerContext(), { email: `${name}@${host}`, consent: "At the fair", ask: false });
    for (const q of [`${name}@${host}`, `${name}@${ascii}`, host, "BÜCHER.example", ascii]) {
      const { items } = await listSubscribers(ownerContext(), SubscriberListQuery.parse({ q }));
      expect(
        items.map((item) => item.email),
        q,
      ).toContain(`${name}@${ascii}`);
    }
  });

  it("finds a person and an enquiry by either form, and a name unchanged", async () => {
    const name = `writer-${unique()}`;
    await postJson(
      forms.message.path,
      forms.message.valid({ email: `${name}@${host}`, name: "Jörg Bücher" }),
    );
    const address = `${name}@${ascii}`;
    for (const typed of [`${name}@${host}`, address]) {
      expect(await readPerson(ownerContext(), { email: typed })).toMatchObject({
        email: address,
        counts: { messages: 1 },
      });
    }
    for (const q of [`${name}@${host}`, address, host, "Jörg Bücher", "bücher"]) {
      const { items } = await listEnquiries(ownerContext(), "message", { q });
      expect(
        items.map((item) => item.email),
        q,
      ).toContain(address);
    }
  });
});
