import { loadStylesheet } from "#site/ui/stylesheet.ts";
import style from "./panel.css?url";

/** Loads the panel's style sheet, which its content needs first. */
export const loadStyle = () => loadStylesheet(style);
