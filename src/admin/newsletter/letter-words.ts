import { formatDateTime } from "#site/ui/format.ts";
import type { Locale } from "#site/ui/locale.ts";
import type { Question, Segment } from "#worker/letters/contract.ts";
import type { SegmentChoices } from "#worker/letters/segment-choices.ts";
import type { FieldWords } from "../form/compare/fields.tsx";
import { sourceName } from "./source-names.ts";

/** A letter's values in the words of its form, for comparing versions. */
export const letterWords = (locale: Locale, choices: SegmentChoices): FieldWords => ({
  labels: {
    subject: "Subject",
    preheader: "Preheader",
    content: "Content",
    segment: "Who gets it",
    isPublic: "In the archive",
    question: "Question",
  },
  inWords(field, value) {
    if (field === "segment" && value) return segmentInWords(value as Segment, locale, choices);
    if (field === "isPublic") return value ? "Yes" : "No";
    if (field === "question") return value ? questionInWords(value as Question, locale) : "None";
    return undefined;
  },
});

function questionInWords({ text, answers, closesAt, showsResults }: Question, locale: Locale) {
  const end = closesAt === null ? "" : `, until ${formatDateTime(closesAt, locale)}`;
  const results = showsResults ? "; readers see the results" : "";
  return `${text} ${answers.join(" / ")}${end}${results}`;
}

function segmentInWords(
  { topic, match, sources, tiers, since, until }: Segment,
  locale: Locale,
  choices: SegmentChoices,
) {
  const nameOf = (list: { id: number; name: string }[], id: number) =>
    list.find((one) => one.id === id)?.name ?? "deleted";
  const rules = [
    sources.length > 0 && `from ${sources.map(sourceName).join(", ")}`,
    tiers.length > 0 && `members of ${tiers.map((id) => nameOf(choices.tiers, id)).join(" or ")}`,
    since !== null && `signed up from ${formatDateTime(since, locale)}`,
    until !== null && `signed up before ${formatDateTime(until, locale)}`,
  ].filter(Boolean);
  const who =
    topic === null ? "All subscribers" : `Subscribers who get the topic ${nameOf(choices.topics, topic)}`;
  return rules.length > 0 ? `${who}, ${rules.join(match === "any" ? " or " : ", ")}` : who;
}
