import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import { listPressOfKind } from "#worker/press/queries.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { CoverageGrid } from "./coverage.tsx";
import { ReleaseList } from "./releases.tsx";

/** Each list has its own page parameter; `item` is a search result in either list. */
const wishesOf = ({ searchParams }: URL) => ({
  coverage: searchParams.get("coverage") ?? undefined,
  releases: searchParams.get("releases") ?? undefined,
  item: idOf(searchParams.get("item")),
});

const idOf = (param: string | null) => (param && /^[1-9]\d{0,8}$/.test(param) ? Number(param) : undefined);

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { item, ...cursors } = wishesOf(url);
  const [{ site }, coverage, releases] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(listPressOfKind(ctx, { type: "media_coverage", before: cursors.coverage, item })),
    orErrorResponse(listPressOfKind(ctx, { type: "press_release", before: cursors.releases, item })),
  ]);
  return {
    coverage,
    releases,
    item,
    contactEmail: site.contactEmail,
    meta: describePage(ctx, site, {
      title: "Media",
      path: "/media",
      laterPage: cursors,
      description: `${site.name} in the media: interviews, articles and broadcasts, and official press releases.`,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Media({ loaderData }: Route.ComponentProps) {
  const { coverage, releases, item, contactEmail } = loaderData;
  return (
    <div className="page pb-8">
      <Head contactEmail={contactEmail} />
      <section aria-labelledby="coverage" className="border-t border-ink pt-4 pb-16">
        <h2 id="coverage" className="mb-6 text-base font-semibold">
          Media Coverage
        </h2>
        {coverage.items.length > 0 ? (
          <CoverageGrid items={coverage.items} leads={coverage.isFirst} />
        ) : (
          <Nothing of="coverage" isFirst={coverage.isFirst}>
            Interviews and articles appear here once they’re out. The media kit has what you need for a first
            one.
          </Nothing>
        )}
        {coverage.next && (
          <ButtonLink to={`/media?coverage=${coverage.next}#coverage`} className="mt-8">
            Older coverage
          </ButtonLink>
        )}
      </section>
      <section aria-labelledby="releases" className="border-t border-ink pt-4">
        <h2
          id="releases"
          className={cx("text-base font-semibold", releases.items.length > 0 ? "mb-2" : "mb-6")}
        >
          Official Press Releases
        </h2>
        {releases.items.length > 0 ? (
          <ReleaseList items={releases.items} opened={item} />
        ) : (
          <Nothing of="press releases" isFirst={releases.isFirst}>
            Announcements appear here first. Until then, ask for what you need.
          </Nothing>
        )}
        {releases.next && (
          <ButtonLink to={`/media?releases=${releases.next}#releases`} className="mt-8">
            Older press releases
          </ButtonLink>
        )}
      </section>
    </div>
  );
}

function Head({ contactEmail }: { contactEmail: string }) {
  return (
    <PageHead
      title="Media"
      standfirst="What others have written and broadcast, and what was announced in our own words."
      aside={<ForJournalists contactEmail={contactEmail} />}
    />
  );
}

function ForJournalists({ contactEmail }: { contactEmail: string }) {
  return (
    <div className="grid content-start gap-2 border-t border-rule pt-3">
      <h2 className="kicker">For journalists</h2>
      <p>
        Biographies, pictures and figures are in the{" "}
        <Link to="/media-kit" className="link">
          media kit
        </Link>
        .
        {contactEmail && (
          <span>
            {" "}
            For an interview, write to{" "}
            <a href={`mailto:${contactEmail}`} translate="no" className="link">
              {contactEmail}
            </a>
            .
          </span>
        )}
      </p>
    </div>
  );
}

type NothingProps = { of: string; isFirst: boolean; children: string };

const Nothing = ({ of, isFirst, children }: NothingProps) =>
  isFirst ? (
    <EmptyState
      title={`No ${of} yet`}
      className="border-t-0 pt-0"
      action={<ButtonLink to="/media-kit">Media kit</ButtonLink>}
    >
      {children}
    </EmptyState>
  ) : (
    <EmptyState
      title={`No older ${of}`}
      className="border-t-0 pt-0"
      action={<ButtonLink to="/media">Newest first</ButtonLink>}
    />
  );

export const ErrorBoundary = () => <PageError title="Failed to load media. Please try again later." />;
