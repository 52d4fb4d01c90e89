import { CopyText } from "../../settings/copy-text.tsx";

/** What to set where the podcast was, once all of it is here. */
export const OldHost = ({ feedUrl }: { feedUrl: string }) => (
  <section aria-labelledby="old-host" className="grid gap-4">
    <h2 id="old-host" className="text-lg font-semibold">
      What to set at the old host
    </h2>
    <ol className="grid max-w-2xl list-decimal gap-3 pl-5">
      <li>
        Redirect the old feed to the new one for good (a 301 redirect). Most hosts call it “Redirect feed” or
        “Move to another host”.
      </li>
      <li>
        Where the host lets you, set the new feed address in the old feed as well (
        <code translate="no">itunes:new-feed-url</code>): Apple Podcasts then changes over by itself.
      </li>
      <li>Keep the redirect for four weeks at least, so that every app has seen it.</li>
      <li>
        Look up the podcast in Apple Podcasts and Spotify after a day: both show the new address in their
        dashboards.
      </li>
    </ol>
    <div className="max-w-2xl">
      <CopyText label="New address of the feed" value={feedUrl} what="address" />
    </div>
  </section>
);
