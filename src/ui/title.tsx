import { cx } from "./cx.ts";

/** Characters; longer titles are set smaller. */
const LONG = 64;

/** The title of a page or a lead, smaller if it is long. */
export const Title = ({ as: Tag = "h1", text }: { as?: "h1" | "h2"; text: string }) => (
  <Tag className={cx("headline", text.length > LONG ? "text-2xl" : "text-3xl")}>{text}</Tag>
);
