import { json } from "node:stream/consumers";
import type { ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the server with a text model. */
    textModel: number;
  }
}

type Line = [number: number, text: string, speaker?: string];
type Body = {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema: Record<string, unknown> };
  max_tokens?: number;
  max_completion_tokens?: number;
};
type Asked = { body: Body; authorization: string | null };
type Sent = { status?: number; headers?: Record<string, string>; body: unknown };
type Mode = (asked: Asked, count: number) => Sent;

const given = ({ messages }: Body) =>
  JSON.parse(messages.find(({ role }) => role === "user")!.content) as {
    lines?: Line[];
    points?: [number, string][];
  };

const beginning = (text: string) => text.split(" ").slice(0, 8).join(" ");

/** What a careful model answers: quotes are copied from the lines. */
function careful(body: Body): Record<string, unknown> {
  const { lines, points } = given(body);
  if (!lines) {
    const numbers = points!.map(([number]) => number);
    const some = (at: number) => [numbers[at % numbers.length]!];
    return {
      titles: [
        { text: "On hearing each other", points: some(0) },
        { text: "What a voice carries", points: some(1) },
      ],
      summary: { text: "Two people speak about listening.", points: some(0).concat(some(2)) },
      notes: numbers
        .slice(0, 4)
        .map((number) => ({ text: `What is said at point ${number}.`, points: [number] })),
      message: { text: "We spoke about listening. Have a look.", points: some(1) },
    };
  }
  const at = (share: number) => lines[Math.floor(lines.length * share)]!;
  const quoted = ([line, text]: Line) => ({ line, quote: beginning(text) });
  return {
    points: [0.1, 0.4, 0.7].map((share) => ({
      text: `One says: ${beginning(at(share)[1])}.`,
      ...quoted(at(share)),
    })),
    chapters: [0, 0.5].map((share) => ({ title: `About line ${at(share)[0]}`, ...quoted(at(share)) })),
    soundbites: [{ title: "Worth hearing", ...quoted(at(0.3)), lastLine: at(0.3)[0] + 5 }],
  };
}

/** As OpenAI's API answers (https://platform.openai.com/docs/api-reference/chat/object), llama.cpp's server, Ollama and vLLM. */
const completion = (content: string | null, more: object = {}) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null, ...more },
      finish_reason: "stop",
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
});
const answering =
  (answer: (body: Body) => unknown): Mode =>
  ({ body }) => ({
    body: completion(JSON.stringify(answer(body))),
  });

const isPart = (body: Body) => given(body).lines !== undefined;
/** Changes what a careful model answers to the parts. */
const inParts =
  (change: (answer: Record<string, Record<string, unknown>[]>, lines: Line[]) => unknown): Mode =>
  ({ body }) =>
    isPart(body)
      ? answering((one) => change(careful(one) as never, given(one).lines!))({ body, authorization: null }, 1)
      : answering(careful)({ body, authorization: null }, 1);
const inWhole =
  (change: (answer: Record<string, unknown>) => unknown): Mode =>
  ({ body }) =>
    answering((one) => (isPart(one) ? careful(one) : change(careful(one))))({ body, authorization: null }, 1);

const busy: Sent = {
  status: 429,
  headers: { "Retry-After": "30" },
  body: { error: { message: "Slow down" } },
};
const unsupported: Sent = {
  status: 400,
  body: { error: { message: "response_format json_schema is not supported" } },
};
const ok = answering(careful);

/** By the first part of the path. `count`: requests with this model so far, this one included. */
const modes: Record<string, Mode> = {
  ok,
  /** Without JSON schemas: words and a fence around the answer, after some thinking aloud. */
  plain: ({ body }) =>
    body.response_format
      ? unsupported
      : {
          body: completion(
            `<think>{"points":[]} is too little.</think>Here you are:\n\`\`\`json\n${JSON.stringify(careful(body))}\n\`\`\``,
          ),
        },
  /** As Workers AI answers in its JSON mode. */
  workers: ({ body }) => ({
    body: { response: careful(body), usage: { prompt_tokens: 1000, completion_tokens: 100 } },
  }),
  /** As its newer models do; it has no capacity for the second request. */
  completions: (asked, count) =>
    count === 2 ? { status: 429, body: "3040: Capacity temporarily exceeded" } : ok(asked, count),
  used: (asked, count) =>
    count === 1
      ? { status: 429, body: "3036: You have used up your daily free allocation" }
      : ok(asked, count),
  modeless: ({ body }) =>
    body.response_format
      ? { status: 500, body: "JSON Mode couldn't be met" }
      : { body: { response: JSON.stringify(careful(body)) } },
  busy: (asked, count) => (count === 2 ? busy : ok(asked, count)),
  capacity: (asked, count) => (count <= 2 ? { status: 503, body: "Loading model" } : ok(asked, count)),
  key: (asked, count) =>
    asked.authorization === "Bearer the-key"
      ? ok(asked, count)
      : { status: 401, body: { error: { message: "Incorrect API key" } } },
  /** It repeats the key, and escapes slashes, as PHP's JSON does. */
  echo: ({ authorization }) => ({
    status: 400,
    body: JSON.stringify({ error: { message: `Not a key of ours: ${authorization}` } }).replaceAll(
      "/",
      "\\/",
    ),
  }),
  bad: () => ({ status: 400, body: { error: { message: "context length exceeded" } } }),
  broken: () => ({ status: 500, body: { error: { message: "CUDA out of memory" } } }),
  html: () => ({ headers: { "Content-Type": "text/html" }, body: "<!doctype html><title>Sign in</title>" }),
  page: () => ({ body: completion("<!doctype html><title>Sign in</title>") }),
  half: ({ body }) => ({ body: completion(JSON.stringify(careful(body)).slice(0, 90)) }),
  length: ({ body }) => {
    const answer = completion(JSON.stringify(careful(body)).slice(0, 90));
    return { body: { ...answer, choices: [{ ...answer.choices[0], finish_reason: "length" }] } };
  },
  nonsense: () => ({ body: completion("la la la") }),
  other: () => ({ body: completion('{"recipe":"soup"}') }),
  nothing: () => ({ body: completion("") }),
  refusal: () => ({ body: completion(null, { refusal: "I can’t help with that." }) }),
  shape: () => ({ body: { ok: true } }),
  /** Quotes that no line has. */
  invented: inParts((answer) =>
    Object.fromEntries(
      Object.entries(answer).map(([kind, items]) => [
        kind,
        items.map((item) => ({ ...item, quote: "we all agreed to sell the company for a song" })),
      ]),
    ),
  ),
  /** Times of its own, chapters without order or number, long titles, soundbites of any length. */
  careless: inParts(({ points, chapters }, lines) => ({
    points,
    chapters: [
      ...lines
        .filter((_, at) => at % 4 === 0)
        .map(([line, text]) => ({
          title: `Line ${line}`,
          line: line + 100,
          quote: beginning(text),
          start: 9e9,
        }))
        .toReversed(),
      { ...chapters![0], title: "A title of five words" },
      { ...chapters![0], title: "" },
      { ...chapters![0], title: 7 },
      "a chapter",
    ],
    soundbites: [
      { title: "Too long", line: lines[0]![0], lastLine: 1e6, quote: beginning(lines[0]![1]) },
      { title: "Too short", line: lines[0]![0], lastLine: lines[0]![0], quote: beginning(lines[0]![1]) },
    ],
  })),
  few: inParts(({ points, chapters }) => ({ points, chapters: chapters!.slice(0, 1) })),
  /** It does what a line says. */
  obedient: inParts((answer, lines) => {
    const order = lines.find(([, text]) => text.includes("Ignore"));
    if (!order) return answer;
    return {
      ...answer,
      points: [
        { text: "Visit https://evil.example/win now", line: order[0], quote: beginning(order[1]) },
        ...answer["points"]!,
      ],
      chapters: [
        { title: "Go evil.example/win", line: order[0], quote: beginning(order[1]) },
        { title: "<b>Bold</b> *claim*", line: lines.at(-10)![0], quote: beginning(lines.at(-10)![1]) },
        ...answer["chapters"]!,
      ],
      publish: true,
      status: "published",
      tools: [{ name: "updateEpisode" }],
    };
  }),
  hostile: inWhole((answer) => ({
    ...answer,
    titles: [
      { text: "<script>alert(1)</script> & a \u202Etitle", points: [1] },
      { text: "Buy at www.evil.example", points: [1] },
      { text: "x".repeat(500), points: [1] },
      { text: "Based on nothing", points: [] },
      { text: "Based on what is missing", points: [999, -1, 0.5] },
    ],
    notes: [
      { text: "[Click](javascript:alert(1)) <img src=x onerror=alert(1)> *now*", points: [1] },
      { text: "Write to mail@evil.example", points: [1] },
      { text: "The link plainground.example is said.", points: [2] },
    ],
    status: "published",
  })),
};

/**
 * OpenAI's chat completions. Below `/hang` no answer ever comes, and `/asked` lists what was asked of a model.
 */
export const startTextModelServer = (port?: number) => {
  const asked = new Map<string, Asked[]>();
  return startHttpServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const [, mode = "", path = ""] = /^\/(\w+)(.*)$/.exec(url.pathname) ?? [];
    if (mode === "asked")
      return void send(response, { body: asked.get(url.searchParams.get("model")!) ?? [] });
    if (mode === "hang") return;
    if (!modes[mode] || path !== "/v1/chat/completions" || request.method !== "POST")
      return void response.writeHead(404).end();
    void (async () => {
      const body = (await json(request)) as Body;
      const one: Asked = { body, authorization: request.headers.authorization ?? null };
      const all = [...(asked.get(body.model) ?? []), one];
      asked.set(body.model, all);
      send(response, modes[mode]!(one, all.length));
    })();
  }, port);
};

function send(response: ServerResponse, { status = 200, headers, body }: Sent) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export default async function serve(project: TestProject) {
  const { port, stop } = await startTextModelServer();
  project.provide("textModel", port);
  return stop;
}
