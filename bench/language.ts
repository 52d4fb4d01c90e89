import { randomFrom } from "../demo/random.ts";

/** Made-up prose whose words are as common and as rare as those of a real language (Zipf's law). */
export type Language = {
  /** The word of a rank: 1 is the most common. */
  word: (rank: number) => string;
  title: () => string;
  /** About so many words. */
  sentences: (words: number) => string;
  paragraphs: (words: number) => string;
};

const WORDS = 20_000;
const A_SENTENCE = 14;
const A_PARAGRAPH = 80;

/** The same language, saying the same, from the same seed. */
export function languageFrom(seed: number): Language {
  const random = randomFrom(seed);
  const vocabulary = makeVocabulary(random);
  // Approximates the inverse of the harmonic series' sum: the frequency of a rank falls as 1 / rank.
  const draw = () => vocabulary[Math.floor(Math.exp(random() * Math.log(WORDS))) - 1] ?? "word";
  const sentence = () => `${capital(Array.from({ length: A_SENTENCE }, draw).join(" "))}.`;
  const some = (count: number, make: () => string) =>
    Array.from({ length: Math.max(1, Math.round(count)) }, make);
  const sentences = (words: number) => some(words / A_SENTENCE, sentence).join(" ");
  return {
    word: (rank) => vocabulary[rank - 1] ?? "word",
    title: () => capital(Array.from({ length: 5 }, draw).join(" ")),
    sentences,
    paragraphs: (words) => some(words / A_PARAGRAPH, () => sentences(A_PARAGRAPH)).join("\n\n"),
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const ONSETS = "b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sh st th tr".split(" ");
const VOWELS = "a e i o u ai ea ou".split(" ");
const ENDS = ["", "", "n", "r", "s", "t", "l", "nd", "st"];

/** Common words are short, as in real languages. */
function makeVocabulary(random: () => number) {
  const pick = (from: string[]) => from[Math.floor(random() * from.length)] ?? "";
  const words = new Set<string>();
  while (words.size < WORDS) {
    const syllables = 1 + Math.floor(Math.log10(words.size + 1) / 1.5 + random());
    words.add(Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS)).join("") + pick(ENDS));
  }
  return [...words];
}
