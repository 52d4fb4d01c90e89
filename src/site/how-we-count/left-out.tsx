import { grouped } from "#site/ui/format.ts";
import type { CountingReport, Rejection } from "#worker/analytics/contract.ts";

const reasons = {
  robot: "Robots",
  "data-centre": "Data centres",
  probe: "Two-byte test requests",
  unchanged: "Files that hadn’t changed",
  head: "Checks that a file exists",
  watch: "Second requests of an Apple Watch",
  "too-little": "Less than a minute of audio",
  "not-an-episode": "Files of no published episode",
  "unknown-content": "Pages that are not published",
  flood: "Over the limit for one network",
} satisfies Record<Rejection["reason"], string>;

const kinds = { downloads: "Requests for audio", events: "Events on pages" } satisfies Record<
  Rejection["of"],
  string
>;

/** Rejections by reason, next to the counted downloads. */
export const LeftOut = ({ report: { downloads, rejections } }: { report: CountingReport }) => (
  <>
    <p className="font-reading text-lg">
      <span>
        {downloads === 1 ? "1 download was" : `${downloads === 0 ? "No" : grouped(downloads)} downloads were`}
      </span>{" "}
      counted. <span>{rejections.length === 0 ? "Nothing was left out." : "Left out:"}</span>
    </p>
    {(["downloads", "events"] as const).map((of) => (
      <Reasons key={of} caption={kinds[of]} rows={rejections.filter((rejection) => rejection.of === of)} />
    ))}
  </>
);

function Reasons({ caption, rows }: { caption: string; rows: Rejection[] }) {
  if (rows.length === 0) return null;
  return (
    <table className="mt-6 w-full max-w-[38rem] text-base">
      <caption className="kicker pb-2 text-left">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Reason</th>
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ reason, count }) => (
          <tr key={reason} className="border-t border-rule">
            <th scope="row" className="py-2 pr-4 text-left font-normal">
              {reasons[reason]}
            </th>
            <td className="figures py-2 text-right">{grouped(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
