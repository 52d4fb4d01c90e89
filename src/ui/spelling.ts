import { useLocale } from "./locale.ts";

/** Words of the interface, which are written in Australian spelling, as the site's language spells them. */
export const spelled = (words: string, language: string) =>
  language === "en-US" ? words.replace("avour", "avor").replace("rganise", "rganize") : words;

export function useSpelling() {
  const { language } = useLocale();
  return (words: string) => spelled(words, language);
}
