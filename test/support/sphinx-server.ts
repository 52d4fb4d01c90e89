import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { startHttpServer } from "./http-server.ts";

const run = promisify(execFile);
const LARGEST_ANSWER = 16 * 1024 * 1024;

/**
 * OpenAI's `/v1/audio/transcriptions` with PocketSphinx and its English model behind it (Debian: `pocketsphinx`,
 * `pocketsphinx-en-us`), which decodes what ffmpeg makes of the recording. With its model of the language, it recognises one word
 * of three that espeak-ng says; so it listens for sentences.
 * @param sentences without punctuation
 */
export const startSphinxServer = (sentences: string[]) =>
  startHttpServer((request, response) => {
    void (async () => {
      const sent = new Request("http://localhost", {
        method: "POST",
        headers: { "Content-Type": request.headers["content-type"]! },
        body: new Uint8Array(await buffer(request)),
      });
      const file = (await sent.formData()).get("file") as File;
      const words = await recognise(new Uint8Array(await file.arrayBuffer()), sentences);
      response.writeHead(200, { "Content-Type": "application/json" });
      const text = words.map(({ word }) => word).join(" ");
      response.end(JSON.stringify({ task: "transcribe", language: "english", text, words }));
    })().catch((error: unknown) => {
      response.writeHead(500, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

/** JSGF: one sentence after another, in any order. */
const grammarOf = (sentences: string[]) =>
  `#JSGF V1.0;\ngrammar said;\npublic <said> = ( ${sentences.join(" | ")} )+ ;\n`;

async function recognise(bytes: Uint8Array, sentences: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-sphinx-"));
  try {
    const inFolder = (name: string) => join(folder, name);
    const [sound, wav, grammar] = [inFolder("sound"), inFolder("sound.wav"), inFolder("said.gram")];
    await writeFile(grammar, grammarOf(sentences));
    await writeFile(sound, bytes);
    await run("ffmpeg", ["-v", "error", "-i", sound, "-ar", "16000", "-ac", "1", wav]);
    const { stdout } = await run(
      "pocketsphinx_continuous",
      ["-infile", wav, "-jsgf", grammar, "-time", "yes", "-logfn", "/dev/null"],
      { maxBuffer: LARGEST_ANSWER },
    );
    return stdout.split("\n").flatMap(wordOf);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A line such as `them(2) 8.140 8.490 0.629170`; silence and the grammar’s states are in brackets, and a sentence is a line without times. */
function wordOf(line: string) {
  const [, word, start, end] = /^([^<[(\s]+?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/.exec(line) ?? [];
  return word && !word.startsWith("++") ? [{ word, start: Number(start), end: Number(end) }] : [];
}
