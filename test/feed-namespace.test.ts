import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { fetchSite, ownerContext } from "./support/client.ts";
import { publishComplete } from "./support/complete-podcast.ts";
import { aShow, publishedEpisode } from "./support/factories.ts";

/**
 * What the pages of the podcast namespace ask of each element (github.com/Podcastindex-org/podcast-namespace, docs/tags, and
 * podcast.xsd for those that it has). The schema itself is of 2021, and has neither the later elements nor the later attributes.
 */
type Rule = {
  in: ("channel" | "item" | "podroll" | "publisher" | "alternateEnclosure")[];
  required?: Record<string, RegExp>;
  optional?: Record<string, RegExp>;
  /** Of its text; without one it has none. */
  text?: RegExp;
  isSingle?: boolean;
};

const ANY = /^.+$/s;
const LINK = /^https?:\/\/\S+$/;
const MIME = /^(?:audio|video|image|text|application)\/[\w.+-]+$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const WHOLE = /^\d+$/;
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const SHORT = /^.{1,128}$/s;

const rules: Record<string, Rule> = {
  transcript: {
    in: ["item"],
    required: { url: LINK, type: MIME },
    optional: { language: ANY, rel: /^captions$/ },
  },
  locked: { in: ["channel"], text: /^(?:yes|no)$/, optional: { owner: /@/ }, isSingle: true },
  funding: { in: ["channel", "item"], required: { url: LINK }, text: SHORT },
  chapters: { in: ["item"], required: { url: LINK, type: /^application\/json\+chapters$/ }, isSingle: true },
  soundbite: { in: ["item"], required: { startTime: NUMBER, duration: NUMBER }, text: /^.{0,128}$/s },
  person: {
    in: ["channel", "item"],
    optional: { role: ANY, group: ANY, img: LINK, href: LINK },
    text: SHORT,
  },
  location: {
    in: ["channel", "item"],
    optional: {
      rel: /^(?:subject|creator)$/,
      geo: /^geo:-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?$/,
      osm: /^[NWR]\d+$/,
      country: /^[a-z]{2}$/,
    },
    text: SHORT,
  },
  season: { in: ["item"], text: WHOLE, isSingle: true },
  episode: { in: ["item"], text: NUMBER, isSingle: true },
  trailer: {
    in: ["channel"],
    required: { url: LINK, pubdate: /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} (?:GMT|[+-]\d{4})$/ },
    optional: { length: WHOLE, type: MIME, season: WHOLE },
    text: SHORT,
  },
  license: { in: ["channel"], optional: { url: LINK }, text: SHORT, isSingle: true },
  alternateEnclosure: {
    in: ["item"],
    required: { type: MIME },
    optional: { length: WHOLE, bitrate: NUMBER, height: WHOLE, title: /^.{1,32}$/ },
  },
  source: { in: ["alternateEnclosure"], required: { uri: LINK } },
  integrity: {
    in: ["alternateEnclosure"],
    required: { type: /^sri$/, value: /^sha(?:256|384|512)-[A-Za-z\d+/]+=*$/ },
    isSingle: true,
  },
  guid: { in: ["channel"], text: GUID, isSingle: true },
  medium: { in: ["channel"], text: /^podcast$/, isSingle: true },
  images: { in: ["channel"], required: { srcset: /^\S+ \d+w(?:, \S+ \d+w)*$/ }, isSingle: true },
  image: {
    in: ["channel", "item"],
    required: { href: LINK },
    optional: {
      alt: ANY,
      "aspect-ratio": /^\d+\/\d+$/,
      width: WHOLE,
      height: WHOLE,
      type: MIME,
      purpose: SHORT,
    },
  },
  contentLink: { in: ["item"], required: { href: LINK }, text: ANY },
  socialInteract: {
    in: ["channel", "item"],
    required: { protocol: /^(?:activitypub|bluesky|twitter|matrix|nostr)$/, uri: LINK },
    optional: { accountId: ANY, accountUrl: LINK, priority: WHOLE },
  },
  block: { in: ["channel"], text: /^(?:yes|no)$/ },
  txt: { in: ["channel", "item"], optional: { purpose: SHORT }, text: /^.{1,4000}$/s },
  podroll: { in: ["channel"], isSingle: true },
  publisher: { in: ["channel"], isSingle: true },
  remoteItem: {
    in: ["podroll", "publisher"],
    required: { feedGuid: GUID },
    optional: { feedUrl: LINK, title: ANY, medium: /^publisher$/ },
  },
  updateFrequency: {
    in: ["channel"],
    optional: { rrule: /^FREQ=/, complete: /^(?:true|false)$/ },
    text: /^.{0,128}$/s,
    isSingle: true,
  },
  podping: { in: ["channel"], required: { usesPodping: /^true$/ }, isSingle: true },
};

type Found = {
  name: string;
  parent: string;
  place: object;
  attributes: Record<string, string>;
  text: string;
};

/** Every element of the namespace, in its order. */
function elementsOf(xml: string) {
  const found: Found[] = [];
  type Parsed = { [name: string]: Parsed[] } & { ":@"?: Record<string, string>; "#text"?: string };
  const walk = (nodes: Parsed[], parent: string) => {
    for (const node of nodes) {
      const name = Object.keys(node).find((key) => key !== ":@")!;
      if (name === "#text") continue;
      const children = node[name]!;
      const [, own] = /^podcast:(.+)$/.exec(name) ?? [];
      if (own)
        found.push({
          name: own,
          parent,
          place: nodes,
          attributes: node[":@"] ?? {},
          text: children.map((child) => String(child["#text"] ?? "")).join(""),
        });
      walk(children, own ?? name);
    }
  };
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseTagValue: false,
  });
  walk(parser.parse(xml) as Parsed[], "");
  return found;
}

let all: Found[];
beforeAll(async () => {
  await publishComplete();
  await publishedEpisode({ episodeType: "trailer", episodeNumber: null, title: "Soon" });
  all = elementsOf(await (await fetchSite("/rss/podcast.xml")).text());
});

describe("the complete feed", () => {
  it("has each element of the namespace that this product writes, and no other", () => {
    // podping needs a key of the deployment: `podping.test.ts`.
    const names = Object.keys(rules).filter((name) => name !== "podping");
    expect([...new Set(all.map(({ name }) => name))].toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(rules))("has podcast:%s as its page asks", (name, rule) => {
    const own = all.filter((each) => each.name === name);
    const known = { ...rule.required, ...rule.optional };
    for (const { parent, place, attributes, text } of own) {
      expect(rule.in, name).toContain(parent);
      if (rule.isSingle) expect(own.filter((each) => each.place === place)).toHaveLength(1);
      for (const required of Object.keys(rule.required ?? {})) expect(attributes).toHaveProperty([required]);
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(known, name).toHaveProperty([attribute]);
        expect(value).toMatch(known[attribute]!);
      }
      expect(text).toMatch(rule.text ?? /^$/);
    }
  });

  it("names a publisher with exactly one feed, and each further file with a source", () => {
    const within = (parent: string) => all.filter((each) => each.parent === parent);
    expect(within("publisher")).toMatchObject([{ name: "remoteItem", attributes: { medium: "publisher" } }]);
    const files = all.filter(({ name }) => name === "alternateEnclosure");
    expect(within("alternateEnclosure").filter(({ name }) => name === "source")).toHaveLength(files.length);
  });

  it("says that no episode will follow, also without a text of how often they came", async () => {
    await updateShow(ownerContext(), aShow({ complete: true }));
    const again = elementsOf(await (await fetchSite("/rss/podcast.xml")).text());
    expect(again.find(({ name }) => name === "updateFrequency")).toMatchObject({
      attributes: { complete: "true" },
      text: "",
    });
  });
});
