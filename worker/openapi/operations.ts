import { z } from "zod";
import { AnalyticsQuery } from "#worker/analytics/contract.ts";
import {
  ArticleChange,
  ArticleListQuery,
  ArticlePreviewInput,
  CategoryChange,
  NewArticle,
  NewCategory,
  type EditableArticle,
} from "#worker/articles/contract.ts";
import { CommentsQuery } from "#worker/comments/contract.ts";
import { SearchQuery } from "#worker/discovery/contract.ts";
import { changeOf, EnquiryListQuery } from "#worker/enquiries/owner/contract.ts";
import {
  EpisodeChange,
  EpisodeListQuery,
  EpisodePatch,
  NewEpisode,
  PublishCheck,
  ShowChange,
  ShowNotesPreviewInput,
  TranscriptCheck,
  type EditableEpisode,
} from "#worker/episodes/contract.ts";
import { FileChange, FileListQuery, NewFile, type StoredFile, type Upload } from "#worker/files/contract.ts";
import {
  LetterChange,
  LetterListQuery,
  LetterPreviewInput,
  NewLetter,
  Segment,
  SendLetter,
} from "#worker/letters/contract.ts";
import { NewSubscriber, SubscriberChange, SubscriberListQuery } from "#worker/newsletter/contract.ts";
import { ListQuery } from "#worker/platform/contract.ts";

/** What the document says of a route besides its path and scopes. */
export type Operation = {
  /** In the imperative: the title of the operation. */
  summary: string;
  query?: z.ZodObject;
  /** The JSON body, or `bytes`. */
  body?: z.ZodType | "bytes";
  /** The body of the success; without it some JSON, and with `none` no body. */
  answer?: z.ZodType | "none";
  /** The status of the success; 200 by default. */
  status?: 200 | 201 | 204;
};

const file: z.ZodType<StoredFile> = z.looseObject({
  id: z.string(),
  url: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  durationSeconds: z.number().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  alt: z.string(),
}) as never;

const upload: z.ZodType<Upload> = z.object({
  id: z.string(),
  name: z.string(),
  size: z.int(),
  partSize: z.int(),
  received: z.int(),
  parts: z.int(),
  status: z.enum(["uploading", "complete"]),
});

const article: z.ZodType<EditableArticle> = z.looseObject({
  id: z.int(),
  slug: z.string(),
  updatedAt: z.int(),
  readingMinutes: z.int(),
  viewCount: z.int(),
  values: NewArticle.omit({ automatic: true, draftKey: true }).required(),
  image: file.nullable(),
});

const episode = z.looseObject({
  id: z.int(),
  guid: z.string(),
  updatedAt: z.int(),
  values: EpisodePatch.required(),
  audio: file.nullable(),
  image: file.nullable(),
}) as unknown as z.ZodType<EditableEpisode>;

/** Components of the document, by name. */
export const components = {
  StoredFile: file,
  Upload: upload,
  EditableArticle: article,
  EditableEpisode: episode,
};

const deleted = { answer: "none", status: 204 } as const;

const publicOperations: Record<string, Operation> = {
  "GET /episodes": { summary: "List published episodes, newest first", query: ListQuery },
  "GET /episodes/:id": { summary: "Read a published episode" },
  "GET /articles": {
    summary: "List published articles, newest first",
    query: ListQuery.extend({ source: z.enum(["all", "linkedin", "original"]).optional() }),
  },
  "GET /articles/:slug": { summary: "Read a published article" },
  "GET /press": {
    summary: "List media coverage and releases",
    query: ListQuery.extend({ type: z.enum(["press_release", "media_coverage"]).optional() }),
  },
  "GET /comments": { summary: "List the approved comments of an article or episode", query: CommentsQuery },
  "GET /search": { summary: "Search episodes, transcripts, articles and press", query: SearchQuery },
};

const CANCELS = "; what would cancel a planned recording by email is refused to a token";

const enquiryOperations = (
  path: string,
  what: string,
  change: z.ZodType,
  exception = "",
): Record<string, Operation> => ({
  [`GET ${path}`]: { summary: `List ${what}s, newest first`, query: EnquiryListQuery },
  [`GET ${path}/:id`]: { summary: `Read a ${what}` },
  [`PATCH ${path}/:id`]: { summary: `Sort a ${what}, or change its notes${exception}`, body: change },
});

/** Paths below /api/admin. */
const adminOperations: Record<string, Operation> = {
  "GET /articles": { summary: "List articles, drafts too", query: ArticleListQuery },
  "GET /articles/:id": { summary: "Read an article for editing", answer: article },
  "POST /articles": { summary: "Create an article", body: NewArticle, answer: article, status: 201 },
  "PATCH /articles/:id": {
    summary: "Change the given fields of an article",
    body: ArticleChange,
    answer: article,
  },
  "DELETE /articles/:id": { summary: "Move an article into the bin", ...deleted },
  "POST /articles/preview": { summary: "Render Markdown as an article", body: ArticlePreviewInput },
  "GET /categories": { summary: "List categories" },
  "POST /categories": { summary: "Create a category", body: NewCategory, status: 201 },
  "PATCH /categories/:id": { summary: "Change a category", body: CategoryChange },
  "DELETE /categories/:id": { summary: "Delete a category", ...deleted },

  "GET /episodes": { summary: "List episodes, drafts too", query: EpisodeListQuery },
  "GET /episodes/:id": { summary: "Read an episode for editing", answer: episode },
  "POST /episodes": { summary: "Create an episode", body: NewEpisode, answer: episode, status: 201 },
  "PATCH /episodes/:id": {
    summary: "Change the given fields of an episode",
    body: EpisodeChange,
    answer: episode,
  },
  "DELETE /episodes/:id": { summary: "Move an episode into the bin", ...deleted },
  "POST /episodes/:id/duplicate": { summary: "Copy an episode as a draft", answer: episode, status: 201 },
  "POST /episodes/check": { summary: "List what podcast apps would refuse or miss", body: PublishCheck },
  "POST /episodes/preview": { summary: "Render Markdown as show notes", body: ShowNotesPreviewInput },
  "POST /episodes/check-transcript": {
    summary: "Read a transcript, and report its faults",
    body: TranscriptCheck,
  },
  "GET /show": { summary: "Read the show" },
  "PUT /show": { summary: "Change the show", body: ShowChange },

  "GET /files": { summary: "List the files of the library", query: FileListQuery },
  "GET /files/:id": { summary: "Read the state of an upload", answer: upload },
  "POST /files": {
    summary: "Begin an upload, which is sent in parts of the size that the answer names",
    body: NewFile,
    answer: upload,
    status: 201,
  },
  "PUT /files/:id/parts/:number": { summary: "Send a part; the first has the number 1", body: "bytes" },
  "POST /files/:id/complete": { summary: "End an upload whose parts are all sent", answer: file },
  "PATCH /files/:id": { summary: "Rename or describe a file", body: FileChange },
  "DELETE /files/:id": { summary: "Move a file that nothing uses into the bin", ...deleted },

  "GET /newsletters": { summary: "List letters", query: LetterListQuery },
  "POST /newsletters": { summary: "Create a letter as a draft", body: NewLetter, status: 201 },
  "GET /newsletters/:id": { summary: "Read a letter" },
  "PATCH /newsletters/:id": { summary: "Change a letter", body: LetterChange },
  "POST /newsletters/preview": { summary: "Render a letter", body: LetterPreviewInput },
  "POST /newsletters/recipients": { summary: "Count the recipients of a segment", body: Segment },
  "POST /newsletters/:id/check": {
    summary: "List what should be corrected before sending",
    body: LetterPreviewInput.partial(),
  },
  "GET /newsletters/:id/progress": { summary: "Read how far the sending is" },
  "POST /newsletters/:id/send": { summary: "Send or schedule a letter", body: SendLetter },
  "POST /newsletters/:id/unschedule": { summary: "Make a scheduled letter a draft again" },
  "POST /newsletters/:id/pause": { summary: "Pause the sending" },
  "POST /newsletters/:id/resume": { summary: "Continue the sending" },
  "POST /newsletters/:id/cancel": { summary: "End the sending" },

  "GET /subscribers": { summary: "List subscribers", query: SubscriberListQuery },
  "POST /subscribers": { summary: "Add a subscriber", body: NewSubscriber, status: 201 },
  "GET /subscribers/:id": { summary: "Read a subscriber" },
  "PATCH /subscribers/:id": { summary: "Change a subscriber", body: SubscriberChange },

  ...enquiryOperations("/guest-applications", "guest application", changeOf.application, CANCELS),
  ...enquiryOperations("/contact-messages", "message", changeOf.message),
  ...enquiryOperations("/speaking-bookings", "booking request", changeOf.booking),

  "GET /analytics": {
    summary: "Read views, visitors, plays and downloads of a period",
    query: z.object(AnalyticsQuery.shape),
  },
  "GET /analytics/episodes/:id": { summary: "Read the figures of an episode" },
};

const below = (base: string, operations: Record<string, Operation>) =>
  Object.entries(operations).map(
    ([route, operation]) => [route.replace(" ", ` ${base}`), operation] as const,
  );

/** By method and path pattern, as in worker/access/scopes.ts: test/openapi.test.ts compares the two. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ...below("/api", publicOperations),
  ...below("/api/admin", adminOperations),
]);
