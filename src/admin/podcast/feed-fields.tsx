import {
  SUPPORT,
  type Discussion,
  type Funding,
  type Place,
  type RemoteFeed,
  type Txt,
} from "#worker/episodes/contract.ts";
import { Options, SelectField, TextArea, TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";

/**
 * Lists of the podcast and of an episode that only its feed shows. The apps are those that the Podcast Index's list of apps names
 * for the tag.
 */

export const FundingFields = ({ funding, help }: { funding: Funding[]; help: string }) => (
  <Repeated
    name="funding"
    legend="Support links"
    noun="support link"
    add="Add a support link"
    help={`${help} Read by Pocket Casts, AntennaPod, Podcast Addict, Castamatic, Podverse and Podcast Guru.`}
    initial={funding}
    empty={{ url: "", text: "" }}
  >
    {({ url, text }) => (
      <>
        <TextField label="Support link" name="funding.url" type="url" defaultValue={url} />
        <TextField
          label="Support link text"
          name="funding.text"
          maxLength={128}
          defaultValue={text}
          placeholder={SUPPORT}
        />
      </>
    )}
  </Repeated>
);

const EMPTY_PLACE: Place = { name: "", rel: "subject", geo: "", osm: "", country: "" };

export const PlaceFields = ({ places, help }: { places: Place[]; help: string }) => (
  <Repeated
    name="places"
    legend="Places"
    noun="place"
    add="Add a place"
    help={`${help} Read by Podcast Addict, Podcast Guru, Podfriend and PodLP.`}
    initial={places}
    empty={EMPTY_PLACE}
  >
    {({ name, rel, geo, osm, country }) => (
      <>
        <TextField
          label="Place"
          name="places.name"
          maxLength={128}
          defaultValue={name}
          placeholder="Marrickville, Sydney"
        />
        <SelectField label="What the place is" name="places.rel" defaultValue={rel}>
          <option value="subject">What it’s about</option>
          <option value="creator">Where it’s recorded</option>
        </SelectField>
        <TextField
          label="Coordinates"
          name="places.geo"
          maxLength={40}
          defaultValue={geo}
          placeholder="-33.91,151.16"
          help="Latitude and longitude."
        />
        <TextField
          label="OpenStreetMap ID"
          name="places.osm"
          maxLength={20}
          defaultValue={osm}
          placeholder="R113314"
          help="N, W or R for node, way or relation, and the number."
        />
        <TextField
          label="Country"
          name="places.country"
          maxLength={2}
          defaultValue={country}
          placeholder="AU"
          help="Two letters."
        />
      </>
    )}
  </Repeated>
);

const protocolNames: Record<Discussion["protocol"], string> = {
  activitypub: "Mastodon, or another of the Fediverse",
  bluesky: "Bluesky",
  twitter: "X",
  matrix: "Matrix",
  nostr: "Nostr",
};

export const DiscussionFields = ({ discussions }: { discussions: Discussion[] }) => (
  <Repeated
    name="discussions"
    legend="Discussions"
    noun="discussion"
    add="Add a discussion"
    help="Your post about the episode: apps show the answers to it as comments. The first one is the most important. Read by Podverse, Podfriend and the Podcast Index."
    initial={discussions}
    empty={{ protocol: "activitypub", url: "", account: "" }}
    sortable
  >
    {({ protocol, url, account }) => (
      <>
        <SelectField label="Network" name="discussions.protocol" defaultValue={protocol}>
          <Options of={Object.entries(protocolNames)} />
        </SelectField>
        <TextField label="Address of the post" name="discussions.url" type="url" defaultValue={url} />
        <TextField
          label="Account"
          name="discussions.account"
          maxLength={128}
          defaultValue={account}
          placeholder="@imogen@social.example"
        />
      </>
    )}
  </Repeated>
);

export const PodrollFields = ({ podroll }: { podroll: RemoteFeed[] }) => (
  <Repeated
    name="podroll"
    legend="Podcasts that you recommend"
    noun="podcast"
    add="Add a podcast"
    help="Apps show them to your listeners as a podroll. Read by Pocket Casts, Podcast Guru, Podfriend and PodLP."
    initial={podroll}
    empty={{ title: "", url: "", guid: "" }}
    sortable
  >
    {({ title, url, guid }) => (
      <>
        <TextField label="Title" name="podroll.title" maxLength={128} defaultValue={title} />
        <TextField label="Address of its feed" name="podroll.url" type="url" defaultValue={url} />
        <GuidField name="podroll.guid" value={guid} />
      </>
    )}
  </Repeated>
);

export const GuidField = ({ name, value }: { name: string; value: string }) => (
  <TextField
    label="Its podcast:guid"
    name={name}
    maxLength={36}
    defaultValue={value}
    help="Search podcastindex.org for it. Left blank, it is worked out from the address, which is right unless the feed has moved."
  />
);

export const TxtFields = ({ txts }: { txts: Txt[] }) => (
  <Repeated
    name="txts"
    legend="Texts for services"
    noun="text"
    add="Add a text"
    help="A service that wants to know that the feed is yours gives you a purpose and a text for it. Read by that service alone."
    initial={txts}
    empty={{ purpose: "", text: "" }}
  >
    {({ purpose, text }) => (
      <>
        <TextField
          label="Purpose"
          name="txts.purpose"
          maxLength={128}
          defaultValue={purpose}
          placeholder="verify"
        />
        <TextArea label="Text" name="txts.text" rows={1} maxLength={4000} defaultValue={text} />
      </>
    )}
  </Repeated>
);
