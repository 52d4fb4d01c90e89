/** Where each program has its words in JSON, and what they say there. */

export type Fields = Record<string, unknown>;

/** A text with its times: seconds as a number or a clock, or what is there instead of them. */
export type Piece = {
  start: unknown;
  end: unknown;
  speaker: unknown;
  said: unknown;
  /** Joined directly to the previous piece: punctuation, and words without a time. */
  isRest?: boolean;
};

type List = {
  /** The names that lead to it; none for a file that is a list. */
  path: string[];
  /** Without it, each item is read by the names of its fields. */
  read?: (item: Fields, file: Fields) => Piece[];
  /** It may have whole numbers, and be in milliseconds. */
  hasUnknownUnit?: boolean;
};

/** The first that a file has is read. */
const LISTS: List[] = [
  // Deepgram
  { path: ["results", "utterances"] },
  { path: ["results", "channels", "0", "alternatives", "0", "words"] },
  // Amazon Transcribe
  { path: ["results", "audio_segments"] },
  { path: ["results", "items"], read: amazon },
  // Google, Speechmatics, IBM
  { path: ["results"], read: resultOf },
  // Gladia
  { path: ["result", "transcription", "utterances"] },
  { path: ["transcription", "utterances"] },
  // AssemblyAI
  { path: ["utterances"], hasUnknownUnit: true },
  // Podcasting 2.0, Whisper, WhisperX, Premiere Pro
  { path: ["segments"] },
  // Rev
  { path: ["monologues"], read: ({ elements, speaker }) => listOf(elements).flatMap(revOf(speaker)) },
  // Azure
  { path: ["recognizedPhrases"], read: azure },
  { path: ["phrases"] },
  // whisper.cpp
  { path: ["transcription"], read: whisperCpp },
  // Hugging Face's Whisper, the first with speakers
  { path: ["speakers"], read: chunk },
  { path: ["chunks"], read: chunk },
  // YouTube
  { path: ["events"], read: youtube },
  // aeneas, Vosk, Sonix, Fireflies
  { path: ["fragments"] },
  { path: ["result"] },
  { path: ["transcript"] },
  { path: ["sentences"] },
  // Soniox
  { path: ["tokens"], read: token },
  { path: ["words"], read: word, hasUnknownUnit: true },
  { path: [], hasUnknownUnit: true },
];

export function listIn(file: unknown) {
  for (const { read = fieldsOf, hasUnknownUnit = false, path } of LISTS) {
    const items = path.reduce<unknown>((value, name) => (value as Fields | null)?.[name], file);
    const isList = Array.isArray(items) && (path[0] !== "speakers" || "timestamp" in objectOf(items[0]));
    if (isList) return { path, items: items as unknown[], read, hasUnknownUnit };
  }
  return null;
}

const objectOf = (value: unknown) => (typeof value === "object" && value !== null ? value : {}) as Fields;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).map(objectOf) : []);
const first = (item: Fields, ...names: string[]) => item[names.find((name) => item[name] !== undefined)!];
const milliseconds = (value: unknown) => {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isNumber ? Number(value) / 1000 : value;
};

/** The names that the same thing has in one program or another. */
const NAMES = {
  start: ["start", "startTime", "start_time", "startOffset", "begin", "data_start", "timestamp", "ts"],
  startMs: ["startMs", "start_ms", "offsetMilliseconds"],
  end: ["end", "endTime", "end_time", "endOffset", "data_end", "end_timestamp", "end_ts"],
  endMs: ["endMs", "end_ms"],
  speaker: ["voice", "speaker_name", "speakerName", "speaker", "speaker_label", "speaker_id", "speakerTag"],
  said: ["body", "text", "punctuated_word", "transcript", "sentence", "word", "value"],
};

function fieldsOf(item: Fields): Piece[] {
  // subtitle (npm) has a cue within each item.
  if (item["type"] === "cue") {
    const { start, end, text } = objectOf(item["data"]);
    return [{ start: milliseconds(start), end: milliseconds(end), speaker: "", said: text }];
  }
  // Headers and styles; ElevenLabs' spaces.
  if (["meta", "header", "style", "spacing"].includes(item["type"] as string)) return [];
  const start = first(item, ...NAMES.start) ?? milliseconds(first(item, ...NAMES.startMs));
  const end =
    first(item, ...NAMES.end) ?? milliseconds(first(item, ...NAMES.endMs)) ?? lastingEnd(item, start);
  const speaker = first(item, ...NAMES.speaker);
  const said = first(item, ...NAMES.said) ?? linesOf(item);
  const words = listOf(item["words"]);
  if (said !== undefined || words.length === 0) return [{ start, end, speaker, said }];
  // Premiere Pro, Happy Scribe
  const pieces = words.flatMap(word);
  return pieces.map((piece, at) =>
    at === 0 ? { ...piece, start: piece.start ?? start, speaker, isRest: false } : { ...piece, speaker },
  );
}

function lastingEnd({ duration, durationMilliseconds }: Fields, start: unknown) {
  const lasts = duration ?? milliseconds(durationMilliseconds);
  return typeof lasts === "number" && typeof start === "number" ? start + lasts : undefined;
}

/** aeneas */
const linesOf = ({ lines }: Fields) =>
  Array.isArray(lines) && lines.every((line) => typeof line === "string") ? lines.join("\n") : undefined;

/** A word that was not found in the recording has no time: Gentle, ElevenLabs. */
function word(item: Fields): Piece[] {
  return fieldsOf(item).map((piece) => {
    const { start, said } = piece;
    if (typeof said !== "string" || item["type"] === "punctuation") return { ...piece, isRest: true };
    if (start !== undefined && start !== null) return piece;
    return { ...piece, said: /^[\p{L}\p{N}]/u.test(said) ? ` ${said}` : said, isRest: true };
  });
}

/** Parts of words; a new one begins with a space. */
function token(item: Fields): Piece[] {
  return fieldsOf(item).map((piece) => ({
    ...piece,
    isRest: typeof piece.said === "string" && !/^\s/.test(piece.said),
  }));
}

function amazon(item: Fields, file: Fields): Piece[] {
  const said = objectOf(listOf(item["alternatives"])[0])["content"];
  const { start_time: start, end_time: end, speaker_label: label } = item;
  if (item["type"] === "punctuation") return [{ start, end, speaker: label, said, isRest: true }];
  return [{ start, end, speaker: label ?? amazonSpeakers(file).get(start), said }];
}

/** What is read once from a whole file, and not for each of its words. */
function oncePerFile<T>(read: (file: Fields) => T) {
  const known = new WeakMap<Fields, T>();
  return (file: Fields) => {
    if (!known.has(file)) known.set(file, read(file));
    return known.get(file)!;
  };
}

/** In a list beside the words, by the words' starts: of older files. */
const amazonSpeakers = oncePerFile((file) => {
  const labels = objectOf(objectOf(file["results"])["speaker_labels"]);
  const items = listOf(labels["segments"]).flatMap(({ items: each }) => listOf(each));
  return new Map(items.map(({ start_time, speaker_label }) => [start_time, speaker_label]));
});

const ibmSpeakers = oncePerFile(
  (file) => new Map(listOf(file["speaker_labels"]).map(({ from, speaker }) => [from, speaker])),
);

/** IBM has a word, its start and its end in a list. */
function ibm(timed: unknown[], file: Fields): Piece[] {
  const speakers = ibmSpeakers(file);
  return timed.filter(Array.isArray).map(([said, start, end]: unknown[]) => {
    return { start, end, speaker: speakers.get(start), said };
  });
}

function resultOf(item: Fields, file: Fields): Piece[] {
  const best = objectOf(listOf(item["alternatives"])[0]);
  if (typeof best["content"] === "string") {
    const { type, attaches_to: side } = item;
    const speaker = best["speaker"] === "UU" ? "" : best["speaker"];
    const isRest = type === "punctuation" && side !== "next";
    return [{ ...fieldsOf(item)[0]!, speaker, said: best["content"], isRest }];
  }
  if (Array.isArray(best["timestamps"])) return ibm(best["timestamps"] as unknown[], file);
  const { last, hasSpeakers, endsBefore } = googleResults(file);
  if (hasSpeakers && item !== last) return [];
  const words = wordsOf(item);
  if (words.length > 0) return words.flatMap(word);
  if (best["transcript"] === undefined) return [];
  const start = endsBefore.get(item) ?? 0;
  return [{ start, end: googleEnd(item), speaker: "", said: best["transcript"] }];
}

const googleEnd = (result: Fields) => first(result, "resultEndTime", "resultEndOffset");

const googleResults = oncePerFile((file) => {
  const results = listOf(file["results"]);
  const last = results.at(-1)!;
  const isTagged = ({ speakerTag }: Fields) => typeof speakerTag === "number" && speakerTag > 0;
  return {
    last,
    /** Then the last has all words again. */
    hasSpeakers: wordsOf(last).some(isTagged),
    endsBefore: new Map(results.slice(1).map((result, at) => [result, googleEnd(results[at]!)])),
  };
});

const wordsOf = ({ alternatives }: Fields) => listOf(objectOf(listOf(alternatives)[0])["words"]);

const revOf = (speaker: unknown) => (element: Fields) =>
  fieldsOf(element).map((piece) => ({ ...piece, speaker, isRest: element["type"] !== "text" }));

/** Of 100 nanoseconds. */
const TICKS = 10_000_000;

function azure({ offsetInTicks, durationInTicks, offset, speaker, nBest }: Fields): Piece[] {
  const said = objectOf(listOf(nBest)[0])["display"];
  if (typeof offsetInTicks !== "number") return [{ start: offset, end: null, speaker, said }];
  const lasts = typeof durationInTicks === "number" ? durationInTicks : 0;
  return [{ start: offsetInTicks / TICKS, end: (offsetInTicks + lasts) / TICKS, speaker, said }];
}

function whisperCpp({ offsets, timestamps, text }: Fields): Piece[] {
  const { from, to } = objectOf(offsets);
  const clocks = objectOf(timestamps);
  const isInMs = typeof from === "number" && typeof to === "number";
  const [start, end] = isInMs ? [from / 1000, to / 1000] : [clocks["from"], clocks["to"]];
  return [{ start, end, speaker: "", said: text }];
}

function chunk({ timestamp, text, speaker }: Fields): Piece[] {
  const [start, end] = Array.isArray(timestamp) ? (timestamp as unknown[]) : [];
  return [{ start, end, speaker, said: text }];
}

/** The lines between the words of automatic captions have no words. */
function youtube({ tStartMs, dDurationMs, segs }: Fields): Piece[] {
  const said = listOf(segs)
    .map(({ utf8 }) => (typeof utf8 === "string" ? utf8 : ""))
    .join("");
  if (said.trim() === "") return [];
  const [start, lasts] = [milliseconds(tStartMs), milliseconds(dDurationMs)];
  const end = typeof start === "number" && typeof lasts === "number" ? start + lasts : null;
  return [{ start, end, speaker: "", said }];
}
