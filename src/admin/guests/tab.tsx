import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("guests");

export const meta = titled("Guest Applications");

export default function GuestsTab() {
  return <NotOpen title="Guest Applications">Guest applications will be answered here.</NotOpen>;
}
