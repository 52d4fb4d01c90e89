import categories from "podcast-categories";
import { useState } from "react";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { FileField } from "#site/admin/files/file-field.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "#site/admin/form/fields.tsx";
import { PageForm } from "#site/admin/form/form.tsx";
import { checkbox, text, textOrNull } from "#site/admin/form/read.ts";
import { FormSection } from "#site/admin/form/section.tsx";
import { basedOnOf, submit } from "#site/admin/form/submit.ts";
import { pageTitle } from "#site/admin/shell/page-title.ts";
import { useLocale } from "#site/ui/locale.ts";
import { ShowInput } from "#worker/episodes/contract.ts";
import { FEED_PATH, readShowForEdit } from "#worker/episodes/show-queries.ts";
import { FrequencyFields } from "./frequency-fields.tsx";
import { peopleRows } from "./episode-input.ts";
import { adviceOn } from "./fitting-copy.ts";
import { FundingFields, GuidField, PlaceFields, PodrollFields, TxtFields } from "./feed-fields.tsx";
import { fundingRows, placeRows, podrollRows, txtRows } from "./feed-rows.ts";
import { PeopleFields } from "./people-fields.tsx";
import { errorWords } from "./episode-types.ts";
import type { Route } from "./+types/show";

export const meta = pageTitle("The podcast");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  return {
    found: await readShowForEdit(ctx),
    feedPath: FEED_PATH,
    feedUrl: `${ctx.config.siteUrl}${FEED_PATH}`,
  };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return submit(form, {
    fields,
    schema: ShowInput,
    words: errorWords,
    async send(show) {
      await readJson(api.show.$put({ json: { ...show, basedOn: basedOnOf(form) } }));
      return "Podcast updated successfully!";
    },
  });
}

const fields = {
  title: text,
  subtitle: text,
  description: text,
  author: text,
  ownerName: text,
  ownerEmail: text,
  language: text,
  category: text,
  subcategory: text,
  type: text,
  copyright: text,
  artworkFileId: textOrNull,
  funding: fundingRows,
  updateFrequency: text,
  updateRule: text,
  appleVerification: text,
  explicit: checkbox,
  locked: checkbox,
  people: peopleRows,
  newFeedUrl: text,
  redirectsFeed: checkbox,
  complete: checkbox,
  blocked: checkbox,
  license: text,
  licenseUrl: text,
  places: placeRows,
  podroll: podrollRows,
  publisherUrl: text,
  publisherGuid: text,
  txts: txtRows,
};

export default function Show({ loaderData }: Route.ComponentProps) {
  const { found, feedPath, feedUrl } = loaderData;
  const show = found?.show;
  const [artwork, setArtwork] = useState(found?.artwork ?? null);
  const { language } = useLocale();
  const [category, setCategory] = useState(show?.category ?? "");
  return (
    <PageForm basedOn={show?.updatedAt ?? 0} submit="Save changes">
      <header className="mb-6 grid gap-1">
        <h1 className="text-xl font-semibold">The podcast</h1>
        <p className="text-sm text-muted">
          {show ? (
            <span>
              The feed, for Apple Podcasts, Spotify and other apps:{" "}
              <a href={feedPath} className="break-all text-accent underline underline-offset-4">
                {feedUrl}
              </a>
            </span>
          ) : (
            "Describe your podcast to create its feed."
          )}
        </p>
      </header>
      <FormSection title="The show">
        <TextField label="Title" name="title" required maxLength={255} defaultValue={show?.title} />
        <TextField label="Subtitle" name="subtitle" maxLength={255} defaultValue={show?.subtitle} />
        <TextArea
          label="Description"
          name="description"
          rows={6}
          required
          defaultValue={show?.description}
          help="What it’s about, who it’s for, how often it appears. Plain text."
        />
        <TextField label="Author" name="author" required maxLength={255} defaultValue={show?.author} />
        <FileField
          label="Artwork"
          name="artworkFileId"
          folder="podcast-images"
          value={artwork}
          onChange={setArtwork}
          {...adviceOn(artwork)}
          help="Square, 1400 to 3000 px each side, JPEG or PNG in RGB without transparency, as Apple Podcasts requires."
        />
      </FormSection>
      <FormSection title="In podcast apps">
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <SelectField
            label="Category"
            name="category"
            required
            value={category}
            onChange={(event) => setCategory(event.currentTarget.value)}
          >
            <option value="">Choose…</option>
            {Object.keys(categories).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <SelectField
            key={category}
            label="Subcategory"
            name="subcategory"
            defaultValue={category === show?.category ? show.subcategory : ""}
          >
            <option value="">None</option>
            {Object.keys(categories[category] ?? {}).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <TextField
            label="Language"
            name="language"
            required
            defaultValue={show?.language ?? language}
            help="A code such as en-AU."
          />
          <SelectField label="Order" name="type" defaultValue={show?.type ?? "episodic"}>
            <option value="episodic">Newest first</option>
            <option value="serial">From the beginning</option>
          </SelectField>
        </div>
        <Checkbox label="Explicit language or content" name="explicit" defaultChecked={show?.explicit} />
        <Checkbox
          label="Don’t let other hosts import this feed"
          name="locked"
          defaultChecked={show?.locked ?? true}
        />
        <Checkbox
          label="The podcast has ended: no more episodes"
          name="complete"
          defaultChecked={show?.complete}
        />
        <Checkbox
          label="Ask podcast directories not to list it"
          name="blocked"
          defaultChecked={show?.blocked}
        />
        <FrequencyFields words={show?.updateFrequency ?? ""} rule={show?.updateRule ?? ""} />
        <PeopleFields
          people={show?.people ?? []}
          help="The hosts of every episode. Read by Fountain, Podcast Addict, Podcast Guru, Anytime and Podfriend."
        />
        <PlaceFields places={show?.places ?? []} help="What the podcast is about, or where it’s recorded." />
        <PodrollFields podroll={show?.podroll ?? []} />
      </FormSection>
      <FormSection title="Owner and support">
        <TextField label="Owner’s name" name="ownerName" maxLength={255} defaultValue={show?.ownerName} />
        <TextField
          label="Owner’s email"
          name="ownerEmail"
          type="email"
          defaultValue={show?.ownerEmail}
          help="Podcast apps use it to verify the owner. It’s public in the feed."
        />
        <TextField label="Copyright" name="copyright" maxLength={255} defaultValue={show?.copyright} />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="Licence"
            name="license"
            maxLength={128}
            defaultValue={show?.license}
            placeholder="cc-by-nc-4.0"
            help="How others may use the audio: a standard short name, or your own."
          />
          <TextField
            label="Link to the licence"
            name="licenseUrl"
            type="url"
            defaultValue={show?.licenseUrl ?? ""}
            help="Not needed with a standard short name."
          />
        </div>
        <FundingFields
          funding={show?.funding ?? []}
          help="In the feed, while Patreon is on under Settings ▸ Features. This site shows the first one."
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="The publisher’s feed"
            name="publisherUrl"
            type="url"
            defaultValue={show?.publisherUrl ?? ""}
            help="Of a network or company with several podcasts, if it has a feed that lists them. Few apps read it yet."
          />
          <GuidField name="publisherGuid" value={show?.publisherGuid ?? ""} />
        </div>
        <TextField
          label="Apple verification code"
          name="appleVerification"
          maxLength={255}
          defaultValue={show?.appleVerification}
          help="Only while Apple Podcasts asks for it. Read by Apple Podcasts."
        />
        <TxtFields txts={show?.txts ?? []} />
      </FormSection>
      <FormSection
        title="Moving away"
        help="Both help listeners follow you to another host. Keep this site running until they have moved."
      >
        <TextField
          label="The feed’s new address"
          name="newFeedUrl"
          type="url"
          defaultValue={show?.newFeedUrl ?? ""}
          placeholder="https://"
          help="Podcast apps look for the feed there from now on."
        />
        <Checkbox
          label="Redirect the feed here to the new address"
          name="redirectsFeed"
          defaultChecked={show?.redirectsFeed}
        />
      </FormSection>
    </PageForm>
  );
}
