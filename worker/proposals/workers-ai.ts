import { Unacceptable } from "#worker/models/model-error.ts";
import { runModel, type AiBinding } from "#worker/models/workers-ai.ts";
import { messagesOf } from "#worker/proposals/openai-server.ts";
import { readCompletion } from "#worker/proposals/read-completion.ts";
import type { TextModel } from "#worker/proposals/text-model.ts";

const SENT = "A part of the transcript";

/** Text models of Workers AI, in its JSON mode, whose schema has no name. */
export const workersAi = (ai: AiBinding, model: string): TextModel => ({
  async answer(prompt, waitMs) {
    const input = { messages: messagesOf(prompt), max_tokens: prompt.most };
    const format = { type: "json_schema", json_schema: prompt.schema };
    const ask = (more: object) => runModel(ai, { model, input: { ...input, ...more }, waitMs, sent: SENT });
    try {
      return readCompletion(await ask({ response_format: format }));
    } catch (error) {
      if (!(error instanceof Unacceptable)) throw error;
      return readCompletion(await ask({}));
    }
  },
});
