import { needs } from "../guard.ts";
import { NotOpen } from "../not-open.tsx";
import { titled } from "../titled.ts";

export const middleware = needs("analytics");

export const meta = titled("Analytics");

export default function AnalyticsTab() {
  return <NotOpen title="Analytics">What is read and heard will be shown here.</NotOpen>;
}
