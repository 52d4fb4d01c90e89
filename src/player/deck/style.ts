import { loadStylesheet } from "#site/ui/stylesheet.ts";
import style from "./deck.css?url";

/** Loads the player's style sheet, which its parts need first. */
export const loadStyle = () => loadStylesheet(style);
