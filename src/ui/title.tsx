import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** Longer titles are set smaller. */
export const isLong = (title: string) => title.length > 64;

type TitleProps = { as?: "h1" | "h2"; text: string; isFront?: boolean };

/** The title of a page or a lead, smaller if it is long. */
export const Title = ({ as: Tag = "h1", text, isFront }: TitleProps) => (
  <Tag className={cx("headline", isLong(text) ? "text-2xl" : isFront ? "text-front" : "text-3xl")}>
    {text}
  </Tag>
);

/**
 * The title is at the same height with or without a breadcrumb. The rule covers that of a directly following section.
 */
export const pageHeadClass =
  "relative -mb-px grid w-full grid-cols-1 gap-x-10 gap-y-8 border-b border-ink pt-8 pb-8 lg:grid-cols-12 lg:pb-12 " +
  "[header+main_&]:pt-[4.77rem]";

type PageHeadProps = {
  title: string;
  /** A few words below the title. */
  byline?: ReactNode;
  standfirst?: ReactNode;
  /** Below the standfirst, such as a button. */
  children?: ReactNode;
  /** Beside the title in a wide window, else below. */
  aside?: ReactNode;
};

/** The head of every public page except the home page, an episode, an essay and a letter. */
export const PageHead = ({ title, byline, standfirst, children, aside }: PageHeadProps) => (
  <header className={pageHeadClass}>
    <div className="grid min-w-0 grid-cols-1 content-start justify-items-start gap-4 lg:col-span-8">
      <Title text={title} />
      {byline && <p className="kicker">{byline}</p>}
      {standfirst && (
        <p className="max-w-[38rem] font-reading text-lg whitespace-pre-line text-muted">{standfirst}</p>
      )}
      {children}
    </div>
    {aside && <div className="min-w-0 lg:col-span-4 lg:self-end">{aside}</div>}
  </header>
);
