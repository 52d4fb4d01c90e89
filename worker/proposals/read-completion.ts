import { z } from "zod";
import { ModelError } from "#worker/models/model-error.ts";
import { unreadable } from "#worker/models/read-json.ts";
import type { Answer } from "#worker/proposals/text-model.ts";

/** What text models answer: OpenAI's chat completions, as other servers and the newer models of Workers AI have them. */
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

/** The older models of Workers AI. With a JSON Schema, `response` is the object itself. */
const Response = z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/** More is no count of a request. */
const MOST_TOKENS = 10_000_000;
const count = z.int().nonnegative().max(MOST_TOKENS).nullish().catch(null);
const Usage = z.object({
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});

/** @throws ModelError, whose message names the fault */
export function readCompletion(answer: unknown): Answer {
  const { usage } = Usage.catch({ usage: null }).parse(answer);
  const counts = {
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
  };
  const older = Response.safeParse(answer);
  if (older.success) {
    const { response } = older.data;
    return { value: typeof response === "string" ? jsonIn(response) : response, ...counts };
  }
  const parsed = Completion.safeParse(answer);
  if (!parsed.success) throw unreadable("something that is not an answer of a text model");
  const { message, finish_reason: reason } = parsed.data.choices[0]!;
  if (message.refusal) throw new ModelError("answer", "The model refused to answer.");
  if (reason === "length") throw unreadable("only a part of its proposals: it reached its limit");
  return { value: jsonIn(message.content ?? ""), ...counts };
}

/**
 * The object in a text that may have words or a fence around it.
 * @throws ModelError
 */
function jsonIn(text: string): unknown {
  // Models that think aloud do so before they answer.
  const answer = text.replace(/^[\s\S]*<\/think>/, "");
  const start = answer.indexOf("{");
  if (answer.trim() === "") throw unreadable("nothing");
  if (/^\s*<(?:!doctype|html)/i.test(answer)) throw unreadable("a web page instead of proposals");
  if (start === -1) throw unreadable("a text instead of proposals");
  try {
    return JSON.parse(answer.slice(start, answer.lastIndexOf("}") + 1));
  } catch {
    throw unreadable("only a part of its proposals, or none that can be read");
  }
}
