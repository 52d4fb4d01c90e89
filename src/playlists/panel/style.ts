import { loadStylesheet } from "#site/ui/stylesheet.ts";
import style from "./panel.css?url";

/** What is shown in the panel needs it first. */
export const loadStyle = () => loadStylesheet(style);
