import { eq } from "drizzle-orm";
import Papa from "papaparse";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it } from "vitest";
import { answerQuestion, closeQuestion, forgetChoices } from "#worker/letters/answer-commands.ts";
import { exportAnswers, readAnswers } from "#worker/letters/answer-queries.ts";
import { answerSigner } from "#worker/letters/answer-tokens.ts";
import { createLetter, duplicateLetter, updateLetter } from "#worker/letters/commands.ts";
import { previewLetter } from "#worker/letters/preview.ts";
import { readLetter } from "#worker/letters/queries.ts";
import { sendDueLetters, sendLetter } from "#worker/letters/sending-commands.ts";
import { deliveries, letterAnswers, letters } from "#worker/letters/table.ts";
import { sendTest } from "#worker/letters/test-commands.ts";
import { forgetSubscriber } from "#worker/newsletter/commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { signUnsubscribe, unsubscribeSigner } from "#worker/newsletter/unsubscribe-tokens.ts";
import { exportPerson } from "#worker/people/export.ts";
import { setArchive } from "./support/archive.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { DAY, household, messageOf, post, postForm } from "./support/newsletter.ts";
import { open, textOf } from "./support/pages.ts";
import { forgetRates } from "./support/rates.ts";
import {
  aLetterTo,
  aQuestion,
  askedLetter,
  deliveriesOf,
  receivedBy,
  rowOf,
  sendingContext,
  sendSlices,
  subscribed,
} from "./support/sending.ts";

beforeEach(forgetRates);

const { db } = jobContext();
const tokenFor = async (subscriberId: string, letterId: number) =>
  (await answerSigner(visitorContext()))(subscriberId, letterId);
/** Text with its entities resolved. */
const resolved = (html: string) =>
  textOf(html).replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

type Found = { text: string; attributes: Record<string, string> };

/** The elements that a selector finds, as workerd's own parser reads them. */
async function find(html: string, selector: string) {
  const found: Found[] = [];
  await new HTMLRewriter()
    .on(selector, {
      element: ({ attributes }) =>
        void found.push({
          text: "",
          attributes: Object.fromEntries(attributes as Iterable<unknown> as Iterable<[string, string]>),
        }),
      text: ({ text }) => void (found.at(-1)!.text += text),
    })
    .transform(new Response(html))
    .text();
  return found.map(({ text, attributes }) => ({ attributes, text: resolved(text) }));
}

const answerLinksIn = async (html: string) =>
  (await find(html, "a[href*='/answer?']")).map(({ text, attributes }) => ({
    text,
    href: resolved(attributes["href"]!),
  }));

const votesOf = async (id: number) =>
  (
    await db
      .select()
      .from(letterAnswers)
      .where(eq(letterAnswers.letterId, id))
      .orderBy(letterAnswers.position)
  ).map(({ votes }) => votes);
const choicesOf = async (id: number) => (await deliveriesOf(id)).map(({ choice }) => choice);
const later = (milliseconds: number) => visitorContext({ now: new Date(Date.now() + milliseconds) });

/** A letter with a question, its first reader and the reader's token. */
async function asked(...how: Parameters<typeof askedLetter>) {
  const { id, people } = await askedLetter(...how);
  return { id, people, reader: people[0]!, token: await tokenFor(people[0]!.id, id) };
}

async function pageOf(query: string) {
  const { response, html, mainText } = await open(`/answer?${query}`);
  const [title] = await find(html, "h1");
  const [checked] = await find(html, "input[name=answer][checked]");
  const [form] = await find(html, "form[action='/api/newsletter/answer']");
  return {
    response,
    text: mainText,
    title: title?.text.trim(),
    checked: checked?.attributes["value"],
    form: form?.attributes ?? null,
  };
}

describe("the email of a letter with a question", () => {
  it("has a link for each answer in both parts, with the person's own token, after the text", async () => {
    const ctx = sendingContext();
    const { id, people } = await askedLetter({}, [{}, {}]);
    await sendSlices(ctx, id);
    const hrefs = await Promise.all(
      people.map(async ({ email }) => {
        const [mail] = await receivedBy(email!);
        const { html = "", text = "" } = await PostalMime.parse(mail!.raw);
        const links = await answerLinksIn(html);
        expect(links.map((link) => link.text)).toEqual(aQuestion.answers);
        expect((await find(html, "h2"))[0]?.text).toBe("What next?");
        expect(text).toMatch(/Hello from the desk\.\s+What next\?\s+Rent:\s+http\S+&answer=1\s/);
        for (const { href } of links) expect(text).toContain(href);
        return links.map(({ href }) => new URL(href));
      }),
    );
    const [mine, theirs] = hrefs.map((urls) => urls.map(({ searchParams }) => searchParams.get("token")));
    expect(new Set(mine).size).toBe(1);
    expect(mine![0]).not.toBe(theirs![0]);
    expect(hrefs[0]!.map(({ searchParams }) => searchParams.get("answer"))).toEqual(["1", "2", "3"]);
    const page = await pageOf(hrefs[0]![1]!.search.slice(1));
    expect(page.title).toBe("What next?");
    expect(page.checked).toBe("2");
    await answerQuestion(visitorContext(), { token: mine![0]!, answer: "2" });
    expect(await choicesOf(id)).toEqual([2, null]);
  });

  it("escapes the author's words", async () => {
    const answers = ["<b>Bold</b>", "{{answer_token}}"];
    const { html, text } = await previewLetter(ownerContext(), {
      subject: "Hello",
      preheader: "",
      content: "Words.",
      question: { ...aQuestion, text: "1 < 2?", answers },
    });
    expect((await answerLinksIn(html)).map((link) => link.text)).toEqual(answers);
    expect((await find(html, "h2"))[0]?.text).toBe("1 < 2?");
    expect(text).toContain("{{answer_token}}:\n");
  });

  it("of a preview or a test has links that count nothing", async () => {
    const { id } = await createLetter(ownerContext(), {
      subject: "Hello",
      content: "Words.",
      question: aQuestion,
    });
    const ctx = { ...sendingContext(), actor: ownerContext().actor };
    const { to } = await sendTest(ctx, id);
    const { html = "" } = await PostalMime.parse((await receivedBy(to)).at(-1)!.raw);
    const hrefs = (await answerLinksIn(html)).map(({ href }) => new URL(href).search);
    expect(hrefs[0]).toBe("?token=test&answer=1");
    const page = await pageOf("token=test&answer=1");
    expect(page.title).toBe("This link can’t be answered");
    expect(page.form).toBeNull();
    expect((await post("answer", { token: "test", answer: "1" })).status).toBe(422);
  });
});

describe("an answer", () => {
  it("is never given by opening its link, with GET or HEAD, nor by the page's data", async () => {
    const { id, token } = await asked();
    const query = `token=${token}&answer=2`;
    const { response, form } = await pageOf(query);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Referrer-Policy")).not.toMatch(/unsafe|same-origin/);
    expect(form?.["method"]).toBe("post");
    expect((await fetchSite(`/answer?${query}`, { method: "HEAD" })).status).toBe(200);
    expect((await fetchSite(`/answer.data?${query}`)).status).toBe(200);
    expect((await fetchSite(`/api/newsletter/answer?${query}`)).status).toBe(405);
    expect(await choicesOf(id)).toEqual([null]);
    expect(await votesOf(id)).toEqual([0, 0, 0]);
  });

  it("is given by the page's form, without scripts, and shown with thanks and the way to change it", async () => {
    const { id, token, reader } = await asked();
    const sent = await postForm("answer", { form: "answer", token, answer: "2" });
    expect(sent.status).toBe(303);
    const address = sent.headers.get("Location")!;
    expect(address).toBe(`/answer?token=${token}`);
    expect(await votesOf(id)).toEqual([0, 1, 0]);
    const page = await pageOf(address.split("?")[1]!);
    expect(page.title).toBe("Thank you for your answer");
    expect(page.text).toContain("What next? Buses & trains");
    expect(page.text).toContain("100% (1)");
    expect(page.checked).toBe("2");
    expect(page.text).not.toContain(reader.email);
    expect(page.text).toContain(reader.email!.replace("eader0", "***"));
  });

  it("replaces the earlier one, however often it is sent", async () => {
    const { id, token } = await asked();
    for (const answer of ["1", "3", "3", "2", "3"]) await answerQuestion(visitorContext(), { token, answer });
    expect(await votesOf(id)).toEqual([0, 0, 1]);
    expect(await choicesOf(id)).toEqual([3]);
    const page = await pageOf(`token=${token}&answer=1`);
    expect(page.checked).toBe("1");
    expect(page.text).toContain("Your answer so far: Water");
  });

  it("is counted once when two are sent simultaneously", async () => {
    const { id, token } = await asked();
    const answers = ["1", "2", "2", "1", "3", "1", "2", "3"];
    await Promise.all(answers.map((answer) => answerQuestion(visitorContext(), { token, answer })));
    const votes = await votesOf(id);
    const [choice] = await choicesOf(id);
    expect(votes).toEqual([1, 2, 3].map((position) => (position === choice ? 1 : 0)));
  });

  it.each([
    ["forged", async (token: string) => `${token.slice(0, -4)}AAAA`],
    [
      "of another purpose",
      async (_: string, id: string, letter: number) =>
        (await unsubscribeSigner(visitorContext()))(id, letter),
    ],
    ["cut off", async (token: string) => token.slice(0, 40)],
  ])("is refused with 422 for a token that is %s", async (_, change) => {
    const { id, token, reader } = await asked();
    const other = await change(token, reader.id!, id);
    const response = await post("answer", { token: other, answer: "1" });
    expect(response.status).toBe(422);
    expect(await votesOf(id)).toEqual([0, 0, 0]);
    expect((await pageOf(`token=${other}`)).title).toBe("This link can’t be answered");
  });

  it("of another letter's token, or of a person to whom the letter was not sent, changes nothing here", async () => {
    const { id } = await asked();
    const other = await asked();
    await answerQuestion(visitorContext(), { token: other.token, answer: "1" });
    expect(await votesOf(id)).toEqual([0, 0, 0]);
    const foreign = await tokenFor(other.reader.id!, id);
    await expect(answerQuestion(visitorContext(), { token: foreign, answer: "1" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await votesOf(id)).toEqual([0, 0, 0]);
  });

  it("that the question does not have is refused at its field", async () => {
    const { id, token } = await asked();
    for (const answer of ["4", "0", "", "11"]) {
      const response = await post("answer", { token, answer });
      expect(response.status, answer).toBe(422);
      expect(await messageOf(response)).toBe("Choose an answer.");
    }
    expect(await votesOf(id)).toEqual([0, 0, 0]);
  });

  it("is refused too often from one address, with 429", async () => {
    const { token } = await asked();
    const from = { "CF-Connecting-IP": household() };
    const statuses: number[] = [];
    for (let round = 0; round < 200 && !statuses.includes(429); round++)
      statuses.push((await post("answer", { token, answer: "1" }, from)).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it("needs one batch of two statements, after the read of the signing key", async () => {
    const { token } = await asked();
    const ctx = visitorContext();
    await answerQuestion(ctx, { token, answer: "1" });
    expect(ctx.d1).toMatchObject({ statements: 3, roundTrips: 2 });
  });
});

describe("a question that has ended", () => {
  it("ends at its date, or 90 days after the sending began", async () => {
    const soon = await asked({ closesAt: Date.now() + DAY });
    await answerQuestion(later(DAY - 60_000), { token: soon.token, answer: "1" });
    await expect(
      answerQuestion(later(DAY + 60_000), { token: soon.token, answer: "2" }),
    ).rejects.toMatchObject({ code: "conflict", message: "This question is closed." });
    expect(await votesOf(soon.id)).toEqual([1, 0, 0]);
    const { id } = await asked();
    const { startedAt, questionClosesAt } = await rowOf(id);
    expect(questionClosesAt!.getTime() - startedAt!.getTime()).toBe(90 * DAY);
  });

  it("is closed by the owner, for good; its page says so, with the results if readers see them", async () => {
    const { id, token } = await asked();
    await answerQuestion(visitorContext(), { token, answer: "1" });
    await closeQuestion(ownerContext(), id);
    await expect(closeQuestion(ownerContext(), id)).rejects.toMatchObject({ code: "conflict" });
    const sent = await postForm("answer", { form: "answer", token, answer: "2" });
    expect(sent.headers.get("Location")).toBe(`/answer?token=${token}#answer-failed`);
    const page = await pageOf(`token=${token}`);
    expect(page.title).toBe("This question is closed");
    expect(page.form).toBeNull();
    expect(page.text).toContain("100% (1)");
    const hidden = await asked({ showsResults: false });
    await answerQuestion(visitorContext(), { token: hidden.token, answer: "1" });
    expect((await pageOf(`token=${hidden.token}`)).text).not.toContain("100%");
    await closeQuestion(ownerContext(), hidden.id);
    expect((await pageOf(`token=${hidden.token}`)).text).not.toContain("100%");
  });

  it("loses individual answers within a day, and keeps its counts; one that is open loses nothing", async () => {
    const closed = await asked();
    const running = await asked();
    for (const { token } of [closed, running]) await answerQuestion(visitorContext(), { token, answer: "3" });
    await closeQuestion(ownerContext(), closed.id);
    await forgetChoices(jobContext());
    expect(await choicesOf(closed.id)).toEqual([null]);
    expect(await votesOf(closed.id)).toEqual([0, 0, 1]);
    expect(await choicesOf(running.id)).toEqual([3]);
  });
});

describe("the data of a person who has answered", () => {
  it("has the answer while the question is open", async () => {
    const { token, reader } = await asked();
    await answerQuestion(visitorContext(), { token, answer: "2" });
    const { body } = await exportPerson(ownerContext(), { email: reader.email!, format: "json" });
    const { records } = await new Response(body).json<{ records: Record<string, unknown>[] }>();
    const letter = records.find(({ kind }) => kind === "letters");
    expect(letter).toMatchObject({ chosenAnswer: "Buses & trains" });
  });

  it("is deleted with the subscription: the count stays, and the link says that the address is gone", async () => {
    const { id, token, reader } = await asked();
    await answerQuestion(visitorContext(), { token, answer: "2" });
    const leave = await signUnsubscribe(visitorContext(), { id: reader.id! });
    await forgetSubscriber(visitorContext(), { token: leave });
    expect(await db.select().from(subscribers).where(eq(subscribers.id, reader.id!))).toEqual([]);
    expect(await deliveriesOf(id)).toMatchObject([{ subscriberId: null, choice: null }]);
    expect(await votesOf(id)).toEqual([0, 1, 0]);
    expect((await pageOf(`token=${token}&answer=1`)).title).toBe("This subscription is deleted");
    expect((await post("answer", { token, answer: "1" })).status).toBe(404);
    expect(await votesOf(id)).toEqual([0, 1, 0]);
  });
});

describe("the owner", () => {
  it("sees the counts, and downloads them as CSV, in which a formula does not run", async () => {
    const { id, people } = await askedLetter({ answers: ["=1+1", "No", "Not sure"] }, [{}, {}, {}]);
    for (const [index, { id: reader }] of people.entries())
      await answerQuestion(visitorContext(), {
        token: await tokenFor(reader!, id),
        answer: index < 2 ? "1" : "2",
      });
    expect(await readAnswers(ownerContext(), id)).toMatchObject({
      question: "What next?",
      isOpen: true,
      answers: [
        { answer: "=1+1", votes: 2 },
        { answer: "No", votes: 1 },
        { answer: "Not sure", votes: 0 },
      ],
    });
    const { data } = Papa.parse((await exportAnswers(ownerContext(), id)).slice(1).trimEnd());
    expect(data).toEqual([
      ["answer", "readers", "percent"],
      ["'=1+1", "2", "66.7"],
      ["No", "1", "33.3"],
      ["Not sure", "0", "0"],
    ]);
  });

  it("cannot change the question once the sending has started, and asks it again in a copy, without its end", async () => {
    const closesAt = Date.now() + DAY;
    const { id } = await asked({ closesAt });
    await expect(
      updateLetter(ownerContext(), id, { question: { ...aQuestion, text: "Another?" } }),
    ).rejects.toMatchObject({ code: "conflict" });
    const { values } = await duplicateLetter(ownerContext(), id);
    expect(values.question).toEqual({ ...aQuestion, closesAt: null });
  });

  it("cannot send a letter whose question would have ended, or would be open for more than a year", async () => {
    const { domain } = await subscribed([{}]);
    const ctx = sendingContext();
    for (const closesAt of [Date.now() - DAY, Date.now() + 400 * DAY]) {
      const { id } = await aLetterTo(domain, { question: { ...aQuestion, closesAt } });
      await expect(sendLetter(ctx, id, {})).rejects.toMatchObject({
        code: "invalid",
        field: "question.closesAt",
      });
    }
    const { id } = await aLetterTo(domain, { question: { ...aQuestion, closesAt: Date.now() + DAY } });
    await expect(sendLetter(ctx, id, { scheduledFor: Date.now() + 2 * DAY })).rejects.toMatchObject({
      code: "invalid",
    });
    await sendLetter(ctx, id, { scheduledFor: Date.now() + DAY / 2 });
    await sendDueLetters(sendingContext({ now: new Date(Date.now() + 3 * DAY) }));
    expect((await readLetter(ownerContext(), id)).pausedReason).toContain(
      "would end before the letter is sent",
    );
  });
});

it("a letter's question is on its page and in the feed without links, answered by email", async () => {
  await setArchive(true);
  const { id } = await asked();
  for (const path of [`/letters/${id}`, "/rss/letters.xml"]) {
    const text = await (await fetchSite(path)).text();
    expect(text).toContain("<li>Buses &#38; trains</li>");
    expect(text).toContain("<em>Answered by email.</em>");
    expect(text).not.toContain("/answer?");
  }
  await setArchive(false);
});

it("a letter without a question has no answers, and its copies no token for them", async () => {
  const { domain, subscribers: people } = await subscribed([{}]);
  const { id } = await aLetterTo(domain);
  const ctx = sendingContext();
  await sendLetter(ctx, id, {});
  await sendSlices(ctx, id);
  expect(await votesOf(id)).toEqual([]);
  expect((await rowOf(id)).questionClosesAt).toBeNull();
  expect((await receivedBy(people[0]!.email!))[0]!.raw).not.toContain("/answer?");
  expect(await readAnswers(ownerContext(), id)).toBeNull();
  const [row] = await db.select().from(letters).where(eq(letters.id, id));
  expect(row!.question).toBeNull();
  await expect(
    answerQuestion(visitorContext(), { token: await tokenFor(people[0]!.id, id), answer: "1" }),
  ).rejects.toMatchObject({ code: "conflict" });
  expect(await db.select().from(deliveries).where(eq(deliveries.letterId, id))).toMatchObject([
    { choice: null },
  ]);
});
