import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("speaking");

export const meta = titled("Speaking Engagements");

export default function SpeakingTab() {
  return <NotOpen title="Speaking Engagements">Speaking engagements will be kept here.</NotOpen>;
}
