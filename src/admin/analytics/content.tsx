import { ExternalLink } from "lucide-react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { grouped } from "#site/ui/format.ts";
import type { TopContent } from "#worker/analytics/contract.ts";
import { TableHead } from "../lists/table-head.tsx";
import { contentTypeNames, titleOf } from "./content-titles.ts";
import { episodePath } from "./query.ts";
import { Nothing, Section } from "./section.tsx";
import { figureText } from "./trend.ts";

/** Percent above which engagement is highlighted. */
const HIGH = 70;

export const Content = ({ content }: { content: TopContent[] }) => (
  <Section of="content">
    {content.length === 0 ? (
      <Nothing>No content data available for this period.</Nothing>
    ) : (
      <table className="w-full text-left text-sm figures">
        <TableHead
          columns={[
            "Rank",
            "Title",
            "Type",
            { figures: "Views" },
            { figures: "Reading time" },
            { figures: "Engagement" },
            { unseen: "On the site" },
          ]}
          cardsBelow="md"
        />
        <tbody>
          {content.map((item) => (
            <Row key={`${item.contentType} ${item.contentId}`} item={item} />
          ))}
        </tbody>
      </table>
    )}
  </Section>
);

/** On a narrow screen, a block of labelled figures. */
function Row({ item }: { item: TopContent }) {
  const { rank, contentType, contentId, views, readingSeconds, engagement, link } = item;
  const title = titleOf(item);
  return (
    <tr className="grid grid-cols-[1.75rem_auto_auto_1fr_2rem] items-center gap-x-3 gap-y-1 border-t border-rule py-3 md:table-row md:py-0 md:*:py-3 md:*:pr-4 md:*:align-middle md:*:last:pr-0">
      <td className="self-start pt-1 text-muted md:pt-0">{rank}</td>
      <th scope="row" className="col-span-3 font-medium wrap-anywhere md:w-full md:min-w-40">
        {contentType === "episode" ? (
          <Link
            to={episodePath(contentId)}
            dir="auto"
            className="py-1 underline decoration-edge underline-offset-4 hover:decoration-current"
          >
            {title}
          </Link>
        ) : (
          <span dir="auto">{title}</span>
        )}
      </th>
      <td className="col-start-2 text-muted max-md:order-2">{contentTypeNames[contentType]}</td>
      <td className="text-right max-md:order-2 max-md:text-left">
        <span>{grouped(views)}</span>
        <span className="md:hidden">{` ${views === 1 ? "view" : "views"}`}</span>
      </td>
      <td className="text-right max-md:order-2 whitespace-nowrap max-md:text-left">
        <span>{figureText(readingSeconds, "seconds")}</span>
        <span className="md:hidden"> reading</span>
      </td>
      <td className="col-span-4 col-start-2 text-right max-md:order-2 max-md:text-left">
        <Engagement percent={engagement} />
        <span className="md:hidden"> engagement</span>
      </td>
      <td className="text-right">
        {link !== null && (
          <a
            href={link}
            target="_blank"
            rel="noopener"
            aria-label={`Open ${title} on the site, in a new tab`}
            className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-tint hover:text-ink"
          >
            <ExternalLink aria-hidden size={16} />
          </a>
        )}
      </td>
    </tr>
  );
}

const Engagement = ({ percent }: { percent: number | null }) =>
  percent === null ? (
    <span>{figureText(null, "percent")}</span>
  ) : (
    <Badge tone={percent > HIGH ? "accent" : "neutral"}>
      {`${percent > HIGH ? "High: " : ""}${percent}%`}
    </Badge>
  );
