import type { Site } from "#worker/settings/contract.ts";
import { networkNames } from "./networks.ts";

type Row = Site["socialProof"][number];

/** Figures side by side, as many as there is room for. */
export const figureGrid =
  "grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-x-6 gap-y-4 lg:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]";

/** Follower figures by network; renders nothing if the owner has entered none. */
export function SocialProof({ rows }: { rows: Site["socialProof"] }) {
  if (rows.length === 0) return null;
  return (
    <dl className={figureGrid}>
      {rows.map((row) => (
        <Figure key={row.network} row={row} />
      ))}
    </dl>
  );
}

function Figure({ row: { network, followers, engagement, url } }: { row: Row }) {
  const name = network === "total" ? "Total" : networkNames[network];
  return (
    <div className="flex flex-wrap items-baseline gap-x-3">
      <dt className="kicker py-1">{name}</dt>
      {url && (
        <dd className="text-sm">
          <a href={url} rel="noopener me" className="link inline-block min-w-6 py-1">
            Follow<span className="sr-only">{` on ${name}`}</span>
          </a>
        </dd>
      )}
      <dd className="headline figures w-full text-story">
        <span>{`${followers} `}</span>
        <span className="sr-only">followers</span>
      </dd>
      {engagement && <dd className="mt-1 w-full text-sm text-muted">{`${engagement} engagement`}</dd>}
    </div>
  );
}
