import { loadStylesheet } from "#site/ui/stylesheet.ts";
import style from "./quotes.css?url";

/** Loads the style sheet of the pictures of quotes, which their parts need first. */
export const loadStyle = () => loadStylesheet(style);
