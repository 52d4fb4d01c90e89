import { z } from "zod";

// The documented responses of LinkedIn's API, as far as they are used. Other fields are dropped: LinkedIn adds some in
// each month's version.

/** GET /v2/me; `vanityName` with r_basicprofile alone. */
export const Me = z.object({ id: z.string().min(1), vanityName: z.string().optional() });

/** GET /v2/userinfo, with openid and profile. */
export const UserInfo = z.object({ sub: z.string().min(1) });

const image = z.object({ id: z.string(), altText: z.string().optional() });

const content = z.object({
  /** An image, a video or a document. */
  media: z
    .object({ id: z.string(), altText: z.string().optional(), title: z.string().optional() })
    .optional(),
  multiImage: z.object({ images: z.array(image) }).optional(),
  /** A page that the post leads to. */
  article: z
    .object({ source: z.string(), title: z.string().optional(), thumbnail: z.string().optional() })
    .optional(),
});

/** A post of the Posts API. Times are milliseconds UTC. */
export const ApiPost = z.object({
  /** urn:li:share:… or urn:li:ugcPost:… */
  id: z.string().regex(/^urn:li:(?:share|ugcPost):\w+$/),
  /** In LinkedIn's "little" format. */
  commentary: z.string().default(""),
  lifecycleState: z.string(),
  visibility: z.string(),
  publishedAt: z.number().optional(),
  createdAt: z.number().optional(),
  lastModifiedAt: z.number().optional(),
  content: content.optional(),
  /** Of a post that shares another one. */
  reshareContext: z.object({ parent: z.string().optional() }).optional(),
});
export type ApiPost = z.output<typeof ApiPost>;

/** GET /rest/posts?q=author. An undocumented kind of post becomes null. */
export const PostPage = z.object({
  elements: z.array(ApiPost.nullable().catch(null)),
  paging: z.object({ links: z.array(z.object({ rel: z.string() })).default([]) }).optional(),
});

const count = z.number().int().min(0);

/** GET /rest/socialMetadata: reactions by their kind, of which a like is one. */
export const SocialMetadata = z.object({
  results: z.record(
    z.string(),
    z.object({
      reactionSummaries: z.record(z.string(), z.object({ count })).default({}),
      commentSummary: z.object({ count }).optional(),
    }),
  ),
});

/** GET /rest/memberCreatorPostAnalytics?q=entity, with r_member_postAnalytics. */
export const Analytics = z.object({ elements: z.array(z.object({ count })) });

/** GET /rest/images: temporary addresses. */
export const Images = z.object({
  results: z.record(z.string(), z.object({ downloadUrl: z.string().optional() })),
});

export const Refusal = z.object({ code: z.string().default(""), message: z.string().default("") });
