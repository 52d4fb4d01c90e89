import type { Site } from "#worker/settings/contract.ts";
import { podcastAppKeys, podcastApps, type PodcastAppKey } from "#worker/settings/podcast-apps.ts";
import { TextField } from "../form/fields.tsx";
import { FormSection } from "../form/section.tsx";

const social = {
  x: "X",
  youtube: "YouTube",
  linkedin: "LinkedIn",
  instagram: "Instagram",
} satisfies Record<keyof Site["social"], string>;

const platforms = Object.fromEntries(podcastAppKeys.map((key) => [key, podcastApps[key].name])) as Record<
  PodcastAppKey,
  string
>;

export const LinkSections = ({ site }: { site: Site }) => (
  <>
    <FormSection title="Social links" help="Full addresses of your profiles. Leave one blank to hide it.">
      <Links group="social" labels={social} links={site.social} />
    </FormSection>
    <FormSection
      title="Podcast platforms"
      help="Where else the podcast is listed. Each link is a tile on the podcast’s page, and the page /listen offers each listener the app of their device first. The RSS tile is this site’s own feed."
    >
      <Links group="platforms" labels={platforms} links={site.platforms} />
    </FormSection>
  </>
);

type LinksProps<Key extends string> = {
  group: string;
  labels: Record<Key, string>;
  links: Partial<Record<Key, string>>;
};

const Links = <Key extends string>({ group, labels, links }: LinksProps<Key>) =>
  (Object.keys(labels) as Key[]).map((key) => (
    <TextField
      key={key}
      label={labels[key]}
      name={`${group}.${key}`}
      type="url"
      inputMode="url"
      placeholder="https://"
      defaultValue={links[key]}
    />
  ));
