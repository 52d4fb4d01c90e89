import { cx } from "./cx.ts";

/** Characters; a longer title would fill the window at the largest size. */
const LONG = 64;

/** What a page or a lead is called, as large as its length allows. */
export const Title = ({ as: Tag = "h1", text }: { as?: "h1" | "h2"; text: string }) => (
  <Tag className={cx("headline", text.length > LONG ? "text-2xl" : "text-3xl")}>{text}</Tag>
);
