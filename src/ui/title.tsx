import { cx } from "./cx.ts";

/** Characters; longer titles are set smaller. */
const LONG = 64;

type TitleProps = { as?: "h1" | "h2"; text: string; isFront?: boolean };

/** The title of a page or a lead, smaller if it is long. */
export const Title = ({ as: Tag = "h1", text, isFront }: TitleProps) => (
  <Tag className={cx("headline", text.length > LONG ? "text-2xl" : isFront ? "text-front" : "text-3xl")}>
    {text}
  </Tag>
);
