import { Link } from "#site/document/link.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { networkNames } from "./network-names.ts";

type Rows = Site["socialProof"];

/** The figures of followers beside the posts on the front page. They are settings. */
export const Followers = ({ rows, maySet }: { rows: Rows; maySet: boolean }) => (
  <section aria-labelledby="followers" className="mt-10 border-t border-rule pt-6">
    <h2 id="followers" className="mb-2 text-base font-semibold">
      Followers
    </h2>
    {rows.length > 0 && (
      <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-4 text-sm">
        {rows.map(({ network, followers, engagement }) => (
          <div key={network}>
            <dt className="text-muted">{network === "total" ? "Total" : networkNames[network]}</dt>
            <dd className="text-lg font-medium wrap-anywhere figures">{followers}</dd>
            {engagement && <dd className="text-muted figures">{`${engagement} engagement`}</dd>}
          </div>
        ))}
      </dl>
    )}
    <p className="max-w-xl text-sm text-muted">
      <span>
        {rows.length > 0
          ? "The front page shows these figures with your posts."
          : "Once you add follower figures, the front page shows them with your posts."}
      </span>{" "}
      {maySet ? (
        <span>
          <Link to="/admin/settings/general#followers" className="link">
            Edit them in General settings
          </Link>
          .
        </span>
      ) : (
        <span>An admin can edit them in Settings.</span>
      )}
    </p>
  </section>
);
