import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { FeedComparison } from "#worker/imports/feed/contract.ts";
import { ActionButton } from "../../form/form.tsx";

/** The old feed and the new one, episode by episode. */
export const Comparison = ({ comparison }: { comparison: FeedComparison | null }) => (
  <section aria-labelledby="comparison" className="grid gap-4">
    <h2 id="comparison" className="text-lg font-semibold">
      The old feed and the new one
    </h2>
    {comparison ? (
      <Findings {...comparison} />
    ) : (
      <p className="max-w-2xl text-muted">
        Reads both feeds as apps do, and compares every episode field by field.
      </p>
    )}
    <div>
      <ActionButton intent="compare" tone={comparison ? "quiet" : "primary"}>
        {comparison ? "Compare again" : "Compare the feeds"}
      </ActionButton>
    </div>
  </section>
);

function Findings({
  at,
  compared,
  alike,
  missing,
  missingCount,
  differing,
  differingCount,
  missingPages = [],
}: FeedComparison) {
  return (
    <div className="grid gap-4">
      {missingPages.map(({ url, why }) => (
        <p key={url} className="border-l-4 border-signal pl-3 text-sm wrap-anywhere">
          {`Not compared: the old feed from ${url} on. ${why}`}
        </p>
      ))}
      <p className="figures">
        <span>{alike.toLocaleString("en")}</span> of <span>{compared.toLocaleString("en")}</span> episodes
        match in every field.{" "}
        <span className="text-muted">
          Compared <DateTime at={at} format={formatDateTime} />.
        </span>
      </p>
      {missingCount > 0 && (
        <div className="grid gap-1">
          <h3 className="font-medium text-danger">{`Missing here: ${missingCount.toLocaleString("en")}`}</h3>
          <p className="text-sm text-muted">Drafts and scheduled episodes aren’t in the new feed yet.</p>
          <ul className="list-disc pl-5 text-sm wrap-anywhere">
            {missing.map((title, place) => (
              <li key={place}>{title || "Without a title"}</li>
            ))}
          </ul>
        </div>
      )}
      {differing.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-medium">{`Different: ${differingCount.toLocaleString("en")}`}</h3>
          <ul className="border-t border-rule">
            {differing.map(({ title, differences }, place) => (
              <li key={place} className="grid gap-1 border-b border-rule py-3 text-sm">
                <p className="font-medium wrap-anywhere">{title || "Without a title"}</p>
                {differences.map(({ field, before, after }) => (
                  <p key={field} className="wrap-anywhere">
                    <span>{`${field}: `}</span>
                    <del className="text-muted">{before || "nothing"}</del>{" "}
                    <ins className="no-underline">{after || "nothing"}</ins>
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
