import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("ventures");

export const meta = titled("Ventures");

export default function VenturesTab() {
  return <NotOpen title="Ventures">Ventures will be kept here.</NotOpen>;
}
