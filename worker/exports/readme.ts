import type { Exporter } from "#worker/exports/noun-export.ts";
import { readSite } from "#worker/settings/queries.ts";

/** What is in the export, and what is not. */
export const readmeForExport: Exporter = async function* (ctx) {
  const { name } = await readSite(ctx);
  const { siteUrl } = ctx.config;
  const text = `${name}
${siteUrl}
Exported on ${ctx.now.toISOString()}

essays/      Each article as Markdown and as JSON, which also has its HTML; the categories; articles' old
             addresses and where they redirect now.
podcast/     The show; each episode with its show notes as Markdown, its transcript, and everything else as
             JSON; episodes' old addresses. The feed itself: ${siteUrl}/rss/podcast.xml
pages/       The texts of the pages, as Markdown to read and as JSON with their structure.
press/       Media coverage and press releases.
letters/     The newsletter's letters, sent or not, with their figures.

automatic-letters.json, campaigns.json, people.json, social-posts.json, speaking.json, tiers.json, topics.json, ventures.json, settings.json
             The items that each file is named after.
media.csv    A list of all files: audio, pictures, documents.
media.txt    The files' addresses. This downloads them into the folders that the texts refer to:
             wget --force-directories --no-host-directories --input-file=media.txt
subscribers.csv
             The newsletter's subscribers, each with their consent. It includes people who unsubscribed: never email them again.
members.csv  Members with their tier and the dates of their membership. It is no consent to letters.
comments.json, enquiries.json
             What visitors wrote, with their addresses.

Drafts are included. Texts refer to files as /media/..., a path on the site. Times are UTC.

data/, manifest.json
             Everything that this site is restored from: Settings > Restore on an empty Rostrum of the same version, or
             npm run restore -- FILE. It also has accounts without passwords, earlier versions of texts, listeners'
             playlists, letters' deliveries, figures and the log of security events.

A Rostrum that is not empty can import the essays and subscribers: Articles > Import. To move the podcast, use its feed.

Not included: the files themselves, passwords, sessions, each visit of the last 90 days, and emails not sent yet.

This file has other people's data, and the key that signs the links in letters. Store it like a password.
`;
  yield { path: "README.txt", text: [text] };
};
