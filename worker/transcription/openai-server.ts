import { askServer, endpointOf, type Server } from "#worker/models/openai-server.ts";
import { readJson } from "#worker/models/read-json.ts";
import { readWhisper } from "#worker/transcription/read-answer.ts";
import type { Transcriber } from "#worker/transcription/transcriber.ts";

/** What an answer should have been. */
export const TRANSCRIPT = { answer: "a transcript", plain: "a text without times" };

/** A server with OpenAI's `/v1/audio/transcriptions`, as whisper.cpp's and faster-whisper's have it. */
export const openAiServer = (server: Server): Transcriber => ({
  async transcribe({ bytes, type, extension }, { language, waitMs }) {
    const form = new FormData();
    form.set("file", new File([bytes], `piece.${extension}`, { type }));
    form.set("model", server.model);
    form.set("response_format", "verbose_json");
    form.append("timestamp_granularities[]", "word");
    form.append("timestamp_granularities[]", "segment");
    if (language) form.set("language", language);
    const text = await askServer(server, {
      endpoint: transcriptionsOf(server.url),
      body: form,
      waitMs,
      offers: "transcriptions",
    });
    return readWhisper(readJson(text, TRANSCRIPT));
  },
});

/** whisper.cpp's own is `/inference`. */
export const transcriptionsOf = (address: string) =>
  endpointOf(address, "/audio/transcriptions", ["/inference"]);
