import { Link } from "#site/document/link.tsx";
import { grouped } from "#site/ui/format.ts";
import type { AnalyticsReport, EpisodeDownloads } from "#worker/analytics/contract.ts";
import { Counts } from "./counts.tsx";
import { episodePath } from "./query.ts";
import { Nothing, Section } from "./section.tsx";

type Props = Pick<AnalyticsReport, "downloads">;

/** Downloads of the podcast, by any app. */
export const Downloads = ({ downloads }: Props) => (
  <Section of="downloadsBy">
    <div className="gap-x-10 *:mb-8 *:last:mb-0 *:break-inside-avoid md:columns-2">
      <Episodes episodes={downloads.episodes} />
      <Counts of="apps" noun="App" counted="Downloads" rows={downloads.apps} />
      <Counts of="devices" noun="Device" counted="Downloads" rows={downloads.devices} />
      <Counts of="countries" noun="Country" counted="Downloads" rows={downloads.countries} />
    </div>
  </Section>
);

const Episodes = ({ episodes }: { episodes: EpisodeDownloads[] }) => (
  <section aria-label="Downloads by episode" className="grid content-start gap-3">
    <h3 className="text-base font-semibold">Episodes</h3>
    {episodes.length === 0 ? (
      <Nothing />
    ) : (
      <table className="w-full text-left text-sm">
        <thead className="text-muted">
          <tr>
            <th scope="col" className="pb-1 font-normal">
              Episode
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Downloads
            </th>
          </tr>
        </thead>
        <tbody>
          {episodes.map(({ id, title, downloads }) => (
            <tr key={id} className="border-t border-rule">
              <th scope="row" className="w-full py-1 pr-4 font-normal wrap-anywhere">
                <Link
                  to={episodePath(id)}
                  dir="auto"
                  className="py-1 underline decoration-edge underline-offset-4 hover:decoration-current"
                >
                  {title}
                </Link>
              </th>
              <td className="py-2 text-right figures">{grouped(downloads)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);
