import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("articles");

export const meta = titled("Articles");

export default function ArticlesTab() {
  return <NotOpen title="Articles">Articles will be written here.</NotOpen>;
}
