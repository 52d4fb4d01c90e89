import type { ReactNode } from "react";
import { cx } from "#site/ui/cx.ts";
import { formatShortDay } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import type { PressItem } from "#worker/press/contract.ts";

export const releaseRow = "grid grid-cols-1 gap-x-10 gap-y-2 lg:grid-cols-[15rem_1fr]";

/** A release expands in place; one without a text links to its source. */
export function ReleaseList({ items, opened }: { items: PressItem[]; opened: number | undefined }) {
  return (
    <ol>
      {items.map((item) => (
        <li key={item.id} className="border-t border-rule first:border-t-0">
          {item.contentHtml ? (
            <Openable item={item} isOpen={item.id === opened} />
          ) : (
            <Elsewhere item={item} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Openable({ item, isOpen }: { item: PressItem; isOpen: boolean }) {
  return (
    <details open={isOpen} className="group/release">
      <summary className={`relative list-none py-6 pr-10 ${releaseRow} [&::-webkit-details-marker]:hidden`}>
        <Row item={item}>
          <Heading className="underline-offset-[0.15em] group-hover/release:underline">{item.title}</Heading>
        </Row>
        <span
          aria-hidden
          className="absolute top-6 right-1 text-xl leading-none text-muted group-open/release:rotate-45"
        >
          +
        </span>
      </summary>
      {/* Target of search results. React Router scrolls to it, but does not open a closed `<details>` as a browser does. */}
      <div id={`press-${item.id}`} className={`${releaseRow} scroll-mt-40 pb-10`}>
        <div className="grid content-start gap-6 lg:col-start-2">
          <RichText html={item.contentHtml} folded />
          {item.link && <Original href={item.link} title={item.title} />}
        </div>
      </div>
    </details>
  );
}

const Elsewhere = ({ item }: { item: PressItem }) => (
  <div id={`press-${item.id}`} className={`py-6 ${releaseRow}`}>
    <Row item={item}>
      <Heading>
        {item.link ? (
          <a href={item.link} rel="noopener" className="py-0.5 underline-offset-[0.15em] hover:underline">
            {item.title}
          </a>
        ) : (
          item.title
        )}
      </Heading>
    </Row>
  </div>
);

const Heading = ({ className, children }: { className?: string; children: ReactNode }) => (
  <h3 className={cx("headline text-xl lg:col-start-2", className)}>{children}</h3>
);

/** The content of a row. In a `<summary>` a heading must be a direct child, with spans beside it. */
const Row = ({ item, children }: { item: PressItem; children: ReactNode }) => (
  <>
    <span className="kicker facts content-start lg:row-span-2 lg:pt-1.5">
      <DateTime at={item.date} format={formatShortDay} />
      {item.outlet && <span>{item.outlet}</span>}
    </span>
    {children}
    <span className="max-w-[38rem] font-reading text-base text-muted lg:col-start-2">{item.summary}</span>
  </>
);

const Original = ({ href, title }: { href: string; title: string }) => (
  <a href={href} rel="noopener" className="link w-fit text-sm font-medium">
    The original document<span className="sr-only">{`: ${title}`}</span>
  </a>
);
