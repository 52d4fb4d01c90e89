import type { ReactNode } from "react";
import { cx } from "./cx.ts";

const tones = {
  neutral: "border-edge text-muted",
  accent: "border-accent text-accent",
  info: "border-info text-info",
  signal: "border-signal text-signal",
  danger: "border-danger text-danger",
};

/** A status in one word. */
export const Badge = ({ tone = "neutral", children }: { tone?: keyof typeof tones; children: ReactNode }) => (
  <span
    className={cx(
      "inline-flex items-center rounded-sm border px-1.5 text-sm leading-5 font-medium wrap-break-word sm:whitespace-nowrap",
      tones[tone],
    )}
  >
    {children}
  </span>
);
