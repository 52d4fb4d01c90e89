import { analyticsNoun } from "#worker/analytics/noun.ts";
import { articleNoun } from "#worker/articles/noun.ts";
import { automaticLetterNoun } from "#worker/automatic-letters/noun.ts";
import { binNoun } from "#worker/bin/noun.ts";
import { campaignNoun } from "#worker/campaigns/noun.ts";
import { commentNoun } from "#worker/comments/noun.ts";
import { enquiryNoun } from "#worker/enquiries/noun.ts";
import { episodeNoun, showNoun } from "#worker/episodes/noun.ts";
import { referencesOf } from "#worker/files/library/references.ts";
import { placesOf } from "#worker/files/library/replace-references.ts";
import { fileNoun } from "#worker/files/noun.ts";
import { letterNoun } from "#worker/letters/noun.ts";
import { memberNoun, tierNoun } from "#worker/members/noun.ts";
import { subscriberNoun } from "#worker/newsletter/noun.ts";
import type { Noun } from "#worker/nouns/noun.ts";
import { pageNoun } from "#worker/pages/noun.ts";
import { mailNoun } from "#worker/people/noun.ts";
import { pressNoun } from "#worker/press/noun.ts";
import { storedHtmlOf } from "#worker/rendering/render-slice.ts";
import { versionsWithFiles } from "#worker/revisions/noun.ts";
import { profileNoun } from "#worker/profiles/noun.ts";
import { settingsNoun } from "#worker/settings/noun.ts";
import { socialNoun } from "#worker/social/noun.ts";
import { engagementNoun } from "#worker/speaking/noun.ts";
import { topicNoun } from "#worker/topics/noun.ts";
import { ventureNoun } from "#worker/ventures/noun.ts";

/** Every noun with a facet, in the order in which the site export is read. */
export const nouns: readonly Noun[] = [
  articleNoun,
  showNoun,
  episodeNoun,
  profileNoun,
  pageNoun,
  pressNoun,
  letterNoun,
  automaticLetterNoun,
  campaignNoun,
  engagementNoun,
  socialNoun,
  ventureNoun,
  fileNoun,
  // Before subscribers, who chose some.
  topicNoun,
  subscriberNoun,
  tierNoun,
  memberNoun,
  commentNoun,
  // Before enquiries, which write an email when a person's data is deleted.
  mailNoun,
  enquiryNoun,
  settingsNoun,
  analyticsNoun,
  binNoun,
];

/** Every column that protects a file from deletion. */
export const fileReferences = referencesOf(nouns, versionsWithFiles);

/** By kind of item, how it follows a file that was replaced. */
export const filePlaces = placesOf(nouns);

/** The stored HTML that a new version of the renderer renders again. */
export const storedHtml = storedHtmlOf(nouns);
