import { parseText, tokenizeVTTCue, type VTTCue, type VTTNode } from "media-captions";
import type { Cue } from "#worker/episodes/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/** In one line. They are read one within the other, and more would overflow the stack. */
const MAX_TAGS = 200;

/** An uploaded or pasted transcript, WebVTT or SRT, as WebVTT. Throws `invalid` for anything without timed lines. */
export async function toWebVtt(source: string) {
  if (source.trim() === "") return "";
  const cues = await cuesOf(source);
  const write = isWebVtt(source) ? (text: string) => text : escapeSrt;
  if (cues.length === 0) {
    throw new AppError("invalid", "This is not a WebVTT or SRT transcript: no timed line was found.", {
      field: "transcript",
    });
  }
  const costly = cues.find(({ text }) => text.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1);
  if (costly) {
    const message = `The line at ${clock(costly.startTime)} has more than ${MAX_TAGS} tags: simplify it.`;
    throw new AppError("invalid", message, { field: "transcript" });
  }
  const blocks = cues.map(
    ({ startTime, endTime, text }) => `${clock(startTime)} --> ${clock(endTime)}\n${write(text.trim())}`,
  );
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

/** The lines of a stored transcript, one voice each, in the order in which they are spoken. */
export async function readCues(webVtt: string): Promise<Cue[]> {
  if (webVtt === "") return [];
  return (await cuesOf(webVtt)).flatMap((cue) =>
    voices(tokenizeVTTCue(cue)).map(({ speaker, text }) => ({
      start: cue.startTime,
      end: cue.endTime,
      speaker,
      text,
    })),
  );
}

const isWebVtt = (source: string) => /^\uFEFF?WEBVTT/.test(source);

/** In SRT text only these are markup; everything else that WebVTT would read as such is meant as written. */
const escapeSrt = (text: string) =>
  text
    .replace(/<\/?font[^>]*>/gi, "")
    .replace(/&|<(?!\/?[biu]>)/g, (char) => (char === "&" ? "&amp;" : "&lt;"))
    .replaceAll("-->", "--&gt;");

async function cuesOf(source: string): Promise<VTTCue[]> {
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const { cues } = await parseText(text, { type: isWebVtt(source) ? "vtt" : "srt" });
  // A blank line within a cue would end it when it is read again.
  return cues.filter((cue) => cue.text.trim() !== "" && cue.endTime > cue.startTime);
}

/** A cue may change voice in its middle; text without a voice tag belongs to nobody. */
function voices(nodes: VTTNode[]) {
  const lines: { speaker: string; text: string }[] = [];
  for (const node of nodes) {
    const speaker = "voice" in node && node.voice ? node.voice : "";
    const text = textOf(node);
    const last = lines.at(-1);
    if (last && last.speaker === speaker) last.text += text;
    else lines.push({ speaker, text });
  }
  return lines
    .map(({ speaker, text }) => ({ speaker, text: text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
}

function textOf(node: VTTNode): string {
  return node.type === "text" ? node.data : node.children.map(textOf).join("");
}

function clock(seconds: number) {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const whole = Math.floor(ms / 1000);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(ms % 1000).padStart(3, "0")}`;
}
