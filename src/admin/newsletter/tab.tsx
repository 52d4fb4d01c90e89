import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("newsletter");

export const meta = titled("Newsletter");

export default function NewsletterTab() {
  return <NotOpen title="Newsletter">The newsletter will be written and sent here.</NotOpen>;
}
