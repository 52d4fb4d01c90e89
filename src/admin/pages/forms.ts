import type { ComponentType } from "react";
import type { PageInput, PageSlug } from "#worker/pages/contract.ts";
import { checkbox, object, rows, text } from "../form/read.ts";
import { AboutFields } from "./about-fields.tsx";
import { HomeFields } from "./home-fields.tsx";
import {
  BookingFields,
  ContactFields,
  GuestFields,
  LegalFields,
  MediaKitFields,
  MissionFields,
  SpeakingFields,
  ThreeEsFields,
} from "./other-fields.tsx";

/** What a form reads of each part of a page's content, which must be all of it, and the fields that it shows. */
type PageForm<Slug extends PageSlug> = {
  fields: { [Part in keyof PageInput<Slug>]: (form: FormData, name: string) => unknown };
  Fields: ComponentType<{ values: PageInput<Slug> }>;
};

const prose = (form: FormData, name: string) => ({ markdown: text(form, name) });
const cards = rows(["title", "text"]);
const opening = { headline: text, standfirst: text };

const pillarRows = rows(["title", "text", "body"]);
const pillars = (form: FormData, name: string) =>
  pillarRows(form, name).map(({ body, ...pillar }) => ({ ...pillar, body: { markdown: body } }));

const legal = { fields: { ...opening, since: text, body: prose }, Fields: LegalFields };

export const pageForms: { [Slug in PageSlug]: PageForm<Slug> } = {
  home: {
    fields: {
      ...opening,
      lead: text,
      buildingTitle: text,
      building: rows(["title", "text", "to"]),
      principlesTitle: text,
      principles: cards,
      guestTitle: text,
      guestText: text,
      credentialsTitle: text,
      credentials: cards,
      enquiryTitle: text,
      enquiryText: text,
    },
    Fields: HomeFields,
  },
  about: {
    fields: {
      ...opening,
      arenas: cards,
      body: prose,
      quote: object({ text, source: text }),
      pillarsTitle: text,
      pillarsLink: text,
      timelineTitle: text,
      timeline: rows(["year", "title", "text"]),
    },
    Fields: AboutFields,
  },
  mission: {
    fields: { ...opening, statement: prose, pillarsTitle: text, pillarsLink: text },
    Fields: MissionFields,
  },
  "three-es": {
    fields: {
      ...opening,
      pillars,
      missionKicker: text,
      missionLink: text,
      contactKicker: text,
      contactLink: text,
    },
    Fields: ThreeEsFields,
  },
  "media-kit": {
    fields: {
      ...opening,
      shortBio: text,
      longBio: prose,
      credit: prose,
      requestTitle: text,
      requestText: text,
      showsMeasured: checkbox,
    },
    Fields: MediaKitFields,
  },
  speaking: {
    fields: {
      ...opening,
      topicsTitle: text,
      topics: cards,
      invitation: text,
      emptyTitle: text,
      emptyText: text,
    },
    Fields: SpeakingFields,
  },
  booking: { fields: { ...opening, points: cards }, Fields: BookingFields },
  guest: {
    fields: { ...opening, stepsTitle: text, steps: cards, bodyTitle: text, body: prose },
    Fields: GuestFields,
  },
  contact: { fields: { ...opening, kinds: rows(["type", "title", "text"]) }, Fields: ContactFields },
  "privacy-policy": legal,
  "terms-of-service": legal,
};
