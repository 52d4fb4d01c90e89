import { useLocale } from "./locale.ts";

/** Converts interface text from Australian spelling to that of the site's language. */
export const spelled = (words: string, language: string) =>
  language === "en-US" ? words.replace("avour", "avor").replace("rganise", "rganize") : words;

export function useSpelling() {
  const { language } = useLocale();
  return (words: string) => spelled(words, language);
}
