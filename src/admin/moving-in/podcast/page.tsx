import { redirect } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { FEED, FeedAddress } from "#worker/imports/feed/contract.ts";
import { listImports } from "#worker/imports/import-queries.ts";
import { TextField } from "../../form/fields.tsx";
import { Form, Submit } from "../../form/form.tsx";
import { text } from "../../form/read.ts";
import { submit } from "../../form/submit.ts";
import { FormerImports } from "../former-imports.tsx";
import { movedEpisodes } from "../queued.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { MOVE } from "./move-facts.ts";
import type { Route } from "./+types/page";

export const meta = pageTitle(movedEpisodes.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  const before = url.searchParams.get("before") ?? undefined;
  const feed = url.searchParams.get("feed") ?? "";
  return { ...(await load(listImports(context.get(siteContext), { kind: FEED, before }))), before, feed };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  submit(await request.formData(), {
    fields: { url: text },
    schema: FeedAddress,
    async send(json) {
      const { id } = await readJson(api.imports.feed.$post({ json }));
      return redirect(`${MOVE}/${id}`);
    },
  });

/** Where a podcast's feed is named, and the imports before. */
export default function MovePodcast({ loaderData: { items, next, before, feed } }: Route.ComponentProps) {
  return (
    <>
      <Link to="/admin/podcast" className="link mb-4 inline-block text-sm">
        All episodes
      </Link>
      <h1 className="mb-3 text-xl font-semibold">{movedEpisodes.title}</h1>
      <p className="mb-6 max-w-2xl text-muted">
        Import your podcast from its old host’s feed: episodes, audio, pictures, chapters and transcripts.
        Dates and identities are kept, so listeners keep their place. You see what will be imported before
        anything moves. Import again and only new episodes are added.
      </p>
      <Form className="grid max-w-2xl gap-5">
        <TextField
          label="Address of the feed"
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://feeds.example.com/my-podcast.xml"
          help="Your old host shows it as the RSS feed. A long feed can take up to a minute to read."
          maxLength={2000}
          defaultValue={feed}
          required
        />
        <div>
          <Submit>Read the feed</Submit>
        </div>
      </Form>
      <FormerImports imports={items} next={next} before={before} source={movedEpisodes} />
    </>
  );
}
