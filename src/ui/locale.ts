import { createContext, use } from "react";

/** How the site writes dates: a language tag such as en-AU, and a time zone such as Australia/Sydney. */
export type Locale = { language: string; timeZone: string };

export const localeOf = ({ language, timeZone }: Locale): Locale => ({ language, timeZone });

/** The root sets it from the site's settings; error pages without settings use the default. */
export const LocaleContext = createContext<Locale>({ language: "en", timeZone: "UTC" });

export const useLocale = () => use(LocaleContext);
