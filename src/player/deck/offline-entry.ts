export { offlineParts } from "./offline-parts.tsx";
export { loadStyle } from "./style.ts";
