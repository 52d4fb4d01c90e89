import { Unacceptable } from "#worker/models/model-error.ts";
import { askServer, endpointOf, type Server } from "#worker/models/openai-server.ts";
import { readJson } from "#worker/models/read-json.ts";
import { readCompletion } from "#worker/proposals/read-completion.ts";
import type { Prompt, TextModel } from "#worker/proposals/text-model.ts";

/** A server with OpenAI's `/v1/chat/completions`, as llama.cpp, Ollama and vLLM have it. */
export const openAiServer = (server: Server): TextModel => {
  const ask = async (body: Record<string, unknown>, waitMs: number) => {
    const text = await askServer(server, {
      endpoint: completionsOf(server.url),
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ model: server.model, ...body }),
      waitMs,
      offers: "chat completions",
    });
    return readCompletion(readJson(text, { answer: "an answer", plain: "a text" }));
  };
  return {
    async answer(prompt, waitMs) {
      const messages = messagesOf(prompt);
      const { name, schema, most } = prompt;
      const format = { type: "json_schema", json_schema: { name, strict: true, schema } };
      try {
        return await ask({ messages, max_tokens: most, response_format: format }, waitMs);
      } catch (error) {
        if (!(error instanceof Unacceptable)) throw error;
        // A server without such formats, or a model for which OpenAI renamed `max_tokens`: the instructions ask for JSON, too.
        return ask({ messages, max_completion_tokens: most }, waitMs);
      }
    },
  };
};

export const messagesOf = ({ system, user }: Prompt) => [
  { role: "system", content: system },
  { role: "user", content: user },
];

export const completionsOf = (address: string) => endpointOf(address, "/chat/completions");
