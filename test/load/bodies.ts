import type { z } from "zod";
import {
  AccountChange,
  AddressChange,
  ChosenPassword,
  LoginInput,
  PasswordChange,
  ResetRequest,
  SetupInput,
  UserChange,
  UserInput,
  VerificationConfirm,
  VerificationRequest,
} from "#worker/accounts/contract.ts";
import { EventsInput } from "#worker/analytics/contract.ts";
import {
  ArticleChange,
  ArticlePreviewInput,
  CategoryChange,
  NewArticle,
  NewCategory,
  RenderInput,
  UpkeepInput,
} from "#worker/articles/contract.ts";
import { CampaignChange, CampaignOrder, NewCampaign } from "#worker/campaigns/contract.ts";
import { Answer, CommentChoice, CommentLink, Moderation, NewComment } from "#worker/comments/contract.ts";
import {
  ConfirmEnquiryInput,
  NewApplication,
  NewBooking,
  NewGuest,
  NewMessage,
} from "#worker/enquiries/contract.ts";
import { changeOf, EnquiryAnswer, EpisodeChoice } from "#worker/enquiries/owner/contract.ts";
import {
  EpisodeChange,
  NewEpisode,
  PublishCheck,
  ShowChange,
  ShowNotesPreviewInput,
  TranscriptCheck,
} from "#worker/episodes/contract.ts";
import { FileChange, NewFile, Peaks, Replacement } from "#worker/files/contract.ts";
import {
  ArticleBatch,
  FetchPosts,
  KnownPosts,
  NewImport,
  NewItems,
  RetryItems,
} from "#worker/imports/contract.ts";
import { FeedAddress, TakenFacts } from "#worker/imports/feed/contract.ts";
import { PlannedArticles, SiteDocument } from "#worker/imports/importers/contract.ts";
import {
  LetterChange,
  LetterPreviewInput,
  NewLetter,
  Segment,
  SendLetter,
} from "#worker/letters/contract.ts";
import {
  AskImported,
  ImportInput,
  NewSubscriber,
  SubscribeInput,
  SubscriberChange,
  UnsubscribeInput,
  VerifyInput,
} from "#worker/newsletter/contract.ts";
import { pageContents } from "#worker/pages/contract.ts";
import {
  NewItem,
  NewOrder,
  NewPlaylist,
  NewSmartPlaylist,
  PlaylistPatch,
  ProgressInput,
} from "#worker/playlists/contract.ts";
import { NewPressItem, PressChange, PressPreviewInput } from "#worker/press/contract.ts";
import { RestoreInput } from "#worker/revisions/contract.ts";
import { ArchivedObject } from "#worker/exports/contract.ts";
import { EndOfObject, NewPiece, NewRestore } from "#worker/restores/contract.ts";
import { SiteChange, TestMail } from "#worker/settings/contract.ts";
import { NewSocialPost, SocialPostChange } from "#worker/social/contract.ts";
import { EngagementChange, NewEngagement } from "#worker/speaking/contract.ts";
import { NewVenture, VentureChange, VentureOrder } from "#worker/ventures/contract.ts";

type Bodies = Record<string, z.ZodType>;

const ofPages: Bodies = Object.fromEntries(
  Object.entries(pageContents).flatMap(([slug, content]) => [
    [`PUT /api/admin/pages/${slug}`, content],
    [`POST /api/admin/pages/${slug}/preview`, content],
  ]),
);

/** The schema of each JSON body that the API takes, by method and path. */
export const bodies: Bodies = {
  "POST /api/admin/session": LoginInput,
  "POST /api/admin/setup": SetupInput,
  "POST /api/admin/verification": VerificationRequest,
  "POST /api/admin/verification/confirm": VerificationConfirm,
  "POST /api/admin/password-reset": ResetRequest,
  "POST /api/admin/password-reset/confirm": ChosenPassword,
  "POST /api/admin/invitation/confirm": ChosenPassword,
  "PATCH /api/admin/account": AccountChange,
  "POST /api/admin/account/email": AddressChange,
  "POST /api/admin/account/password": PasswordChange,
  "POST /api/admin/users": UserInput,
  "PATCH /api/admin/users/:id": UserChange,
  "POST /api/admin/articles": NewArticle,
  "POST /api/admin/articles/preview": ArticlePreviewInput,
  "POST /api/admin/articles/render": RenderInput,
  "POST /api/admin/articles/check": UpkeepInput,
  "PATCH /api/admin/articles/:id": ArticleChange,
  "POST /api/admin/articles/:id/revisions/:revision/restore": RestoreInput,
  "POST /api/admin/categories": NewCategory,
  "PATCH /api/admin/categories/:id": CategoryChange,
  "POST /api/admin/episodes": NewEpisode,
  "PATCH /api/admin/episodes/:id": EpisodeChange,
  "POST /api/admin/episodes/:id/revisions/:revision/restore": RestoreInput,
  "POST /api/admin/episodes/check": PublishCheck,
  "POST /api/admin/episodes/preview": ShowNotesPreviewInput,
  "POST /api/admin/episodes/check-transcript": TranscriptCheck,
  "PUT /api/admin/show": ShowChange,
  "POST /api/admin/ventures": NewVenture,
  "PUT /api/admin/ventures/order": VentureOrder,
  "PATCH /api/admin/ventures/:id": VentureChange,
  "POST /api/admin/engagements": NewEngagement,
  "PATCH /api/admin/engagements/:id": EngagementChange,
  ...ofPages,
  "POST /api/admin/pages/:slug/revisions/:revision/restore": RestoreInput,
  "POST /api/admin/press": NewPressItem,
  "POST /api/admin/press/preview": PressPreviewInput,
  "PATCH /api/admin/press/:id": PressChange,
  "POST /api/admin/campaigns": NewCampaign,
  "PUT /api/admin/campaigns/order": CampaignOrder,
  "PATCH /api/admin/campaigns/:id": CampaignChange,
  "POST /api/admin/social-posts": NewSocialPost,
  "PATCH /api/admin/social-posts/:id": SocialPostChange,
  "POST /api/admin/newsletters": NewLetter,
  "POST /api/admin/newsletters/preview": LetterPreviewInput,
  "PATCH /api/admin/newsletters/:id": LetterChange,
  "POST /api/admin/newsletters/:id/test": LetterPreviewInput,
  "POST /api/admin/newsletters/:id/check": LetterPreviewInput,
  "POST /api/admin/newsletters/recipients": Segment,
  "POST /api/admin/newsletters/:id/send": SendLetter,
  "POST /api/admin/subscribers": NewSubscriber,
  "POST /api/admin/subscribers/import": ImportInput,
  "POST /api/admin/subscribers/import/ask": AskImported,
  "PATCH /api/admin/subscribers/:id": SubscriberChange,
  "POST /api/admin/imports/articles": ArticleBatch,
  "POST /api/admin/imports/linkedin/posts": FetchPosts,
  "POST /api/admin/imports/linkedin/known": KnownPosts,
  "POST /api/admin/imports/elsewhere/known": PlannedArticles,
  "POST /api/admin/imports/elsewhere/document": SiteDocument,
  "POST /api/admin/imports/feed": FeedAddress,
  "POST /api/admin/imports": NewImport,
  "POST /api/admin/imports/:id/items": NewItems,
  "POST /api/admin/imports/:id/show": TakenFacts,
  "POST /api/admin/imports/:id/retry": RetryItems,
  "POST /api/admin/restores": NewRestore,
  "POST /api/admin/restores/:id/pieces": NewPiece,
  "POST /api/admin/restores/:id/objects": ArchivedObject,
  "POST /api/admin/restores/:id/objects/complete": EndOfObject,
  "PATCH /api/admin/comments": Moderation,
  "POST /api/admin/comments/delete": CommentChoice,
  "POST /api/admin/comments/:id/answer": Answer,
  "POST /api/admin/guest-applications": NewGuest,
  "PATCH /api/admin/guest-applications/:id": changeOf.application,
  "POST /api/admin/guest-applications/:id/email": EnquiryAnswer,
  "POST /api/admin/guest-applications/:id/guest": EpisodeChoice,
  "PATCH /api/admin/contact-messages/:id": changeOf.message,
  "POST /api/admin/contact-messages/:id/email": EnquiryAnswer,
  "PATCH /api/admin/speaking-bookings/:id": changeOf.booking,
  "POST /api/admin/speaking-bookings/:id/email": EnquiryAnswer,
  "POST /api/admin/files": NewFile,
  "PATCH /api/admin/files/:id": FileChange,
  "POST /api/admin/files/:id/replacement": Replacement,
  "PUT /api/admin/files/:id/peaks": Peaks,
  "PUT /api/admin/settings": SiteChange,
  "POST /api/admin/settings/test-mail": TestMail,
  "POST /api/newsletter/subscribe": SubscribeInput,
  "POST /api/newsletter/verify": VerifyInput,
  "POST /api/newsletter/unsubscribe": UnsubscribeInput,
  "POST /api/newsletter/pause": UnsubscribeInput,
  "POST /api/newsletter/forget": UnsubscribeInput,
  "POST /api/comments": NewComment,
  "POST /api/comments/confirm": CommentLink,
  "POST /api/comments/delete": CommentLink,
  "POST /api/guest-applications": NewApplication,
  "POST /api/contact-messages": NewMessage,
  "POST /api/speaking-bookings": NewBooking,
  "POST /api/enquiries/confirm": ConfirmEnquiryInput,
  "POST /api/analytics/events": EventsInput,
  "POST /api/playlists": NewPlaylist,
  "POST /api/playlists/smart": NewSmartPlaylist,
  "PATCH /api/playlists/:id": PlaylistPatch,
  "POST /api/playlists/:id/items": NewItem,
  "PUT /api/playlists/:id/order": NewOrder,
  "PUT /api/progress/:episodeId": ProgressInput,
};

/** The other routes that write; an upload's part is bytes, and a mail provider's message is signed. */
export const withoutBody = new Set([
  "POST /api/admin/users/:id/invitation",
  "POST /api/admin/articles/:id/publication/ping",
  "POST /api/admin/articles/:id/preview-link",
  "POST /api/admin/episodes/:id/duplicate",
  "POST /api/admin/episodes/:id/publication/ping",
  "POST /api/admin/episodes/:id/preview-link",
  "POST /api/admin/newsletters/:id/duplicate",
  "POST /api/admin/newsletters/:id/unschedule",
  "POST /api/admin/newsletters/:id/pause",
  "POST /api/admin/newsletters/:id/resume",
  "POST /api/admin/newsletters/:id/cancel",
  "POST /api/admin/newsletters/:id/resend",
  "POST /api/admin/imports/:id/comparison",
  "POST /api/admin/imports/:id/start",
  "POST /api/admin/imports/:id/pause",
  "POST /api/admin/imports/:id/resume",
  "POST /api/admin/imports/:id/cancel",
  "POST /api/admin/imports/:id/undo",
  "POST /api/admin/restores/:id/start",
  "POST /api/admin/guest-applications/:id/cancellation",
  "POST /api/admin/speaking-bookings/:id/engagement",
  "PUT /api/admin/files/:id/parts/:number",
  "PUT /api/admin/restores/:id/parts/:number",
  "POST /api/admin/files/:id/complete",
  "PUT /api/admin/desk/ticks/:name",
  "POST /api/admin/backups/copies",
  "POST /api/admin/backups/drills",
  "POST /api/admin/desk/deliveries/retry",
  "POST /api/admin/desk/deliveries/:id/retry",
  "POST /api/admin/desk/messages/:id/retry",
  "POST /api/admin/search-index",
  "POST /api/webhooks/mail",
  "PUT /api/favorites/:episodeId",
]);
