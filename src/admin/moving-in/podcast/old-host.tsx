import { CopyText } from "../../settings/copy-text.tsx";

/** What to set at the old host once everything is imported. */
export const OldHost = ({ feedUrl }: { feedUrl: string }) => (
  <section aria-labelledby="old-host" className="grid gap-4">
    <h2 id="old-host" className="text-lg font-semibold">
      What to set at the old host
    </h2>
    <ol className="grid max-w-2xl list-decimal gap-3 pl-5">
      <li>
        Redirect the old feed to the new one permanently (a 301 redirect). Most hosts call it “Redirect feed”
        or “Move to another host”.
      </li>
      <li>
        If the host lets you, also set the new feed address in the old feed (
        <code translate="no">itunes:new-feed-url</code>): Apple Podcasts then switches automatically.
      </li>
      <li>Keep the redirect for at least four weeks, so every app sees it.</li>
      <li>
        After a day, look up the podcast in Apple Podcasts and Spotify: both dashboards should show the new
        address.
      </li>
    </ol>
    <div className="max-w-2xl">
      <CopyText label="New address of the feed" value={feedUrl} what="address" />
    </div>
  </section>
);
