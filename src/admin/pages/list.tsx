import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { pagePaths, type PageRow } from "#worker/pages/contract.ts";
import { listPages } from "#worker/pages/owner-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { TableHead } from "../lists/table-head.tsx";
import { editPath, pageNames } from "./page-paths.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Pages");

export const loader = ({ context }: Route.LoaderArgs) => load(listPages(context.get(siteContext)));

export default function PageList({ loaderData: { items } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold">Pages</h1>
      <p className="mb-6 max-w-xl text-muted">
        The site’s standing pages. Changes appear on the site within a minute, and every save is kept as a
        version.
      </p>
      <table className="w-full text-left">
        <TableHead columns={["Page", "Address", "Last changed"]} cardsBelow="sm" />
        <tbody>
          {items.map((row) => (
            <Row key={row.slug} row={row} />
          ))}
        </tbody>
      </table>
    </>
  );
}

const Row = ({ row: { slug, updatedAt, savedBy } }: { row: PageRow }) => (
  <tr className="border-b border-rule max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4 max-sm:py-2">
    <td className="py-2 pr-4">
      <Link to={editPath(slug)} className="link py-0.5 font-medium">
        {pageNames[slug]}
      </Link>
    </td>
    <td className="py-2 text-sm sm:pr-4">
      <a
        href={pagePaths[slug]}
        className="inline-flex min-w-6 py-1 text-muted max-sm:justify-end underline-offset-4 hover:underline"
      >
        {pagePaths[slug]}
      </a>
    </td>
    <td className="py-2 text-sm text-muted max-sm:col-span-2 max-sm:pt-0">
      <p className="py-1 wrap-anywhere">
        {updatedAt === 0 ? (
          "Not changed yet"
        ) : (
          <span>
            <DateTime at={updatedAt} format={formatDateTime} />
            {savedBy && <span>{`, ${savedBy}`}</span>}
          </span>
        )}
      </p>
    </td>
  </tr>
);
