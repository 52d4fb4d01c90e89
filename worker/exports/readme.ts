import type { Exporter } from "#worker/exports/exported.ts";
import { readSite } from "#worker/settings/queries.ts";

/** What is in the export, and what is not. */
export const readmeForExport: Exporter = async function* (ctx) {
  const { name } = await readSite(ctx);
  const { siteUrl } = ctx.config;
  const text = `${name}
${siteUrl}
Exported on ${ctx.now.toISOString()}

essays/      Each article as Markdown and as JSON, which has its HTML too; the categories; the addresses that
             articles had before and where they lead now.
podcast/     The show, each episode with its show notes as Markdown, everything else as JSON, its transcript; the
             addresses that episodes had before. The feed itself: ${siteUrl}/rss/podcast.xml
pages/       The texts of the pages, as Markdown to read and as JSON with their structure.
press/       Media coverage and press releases.
letters/     The newsletter's letters, sent or not, with their figures.

campaigns.json, social-posts.json, speaking.json, ventures.json, settings.json
             What their names say.
media.csv    A list of all files: audio, pictures, documents.
media.txt    Their addresses. This downloads them into the folders that the texts name them by:
             wget --force-directories --no-host-directories --input-file=media.txt
subscribers.csv
             The newsletter's subscribers, each with their consent. Also those who left: never mail them again.
comments.json, enquiries.json
             What visitors wrote, with their addresses.

Drafts are in it. Texts name files as /media/..., an address of the site. Times are UTC.

Another Rostrum reads in the essays and the subscribers: Articles, Bring articles from elsewhere. The podcast moves
there by its feed.

Not in it: accounts, former versions of texts, listeners' playlists, analytics, and mails that wait. They are in a
backup of the database, which also can be restored; the documentation of your installation says how.

Subscribers, comments, enquiries and speaking.json hold other people's data. Keep this file where nobody else reads it.
`;
  yield { path: "README.txt", text: [text] };
};
