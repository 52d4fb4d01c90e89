import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("media");

export const meta = titled("Media");

export default function PressTab() {
  return <NotOpen title="Media">Media coverage and press releases will be kept here.</NotOpen>;
}
