import {
  CommentListQuery,
  CommentsQuery,
  CONFIRMED,
  DELETED,
  type Answer,
  type CommentChoice,
  type CommentLink,
  type Moderation,
  type NewComment,
} from "#worker/comments/contract.ts";
import { commentAnswers } from "#worker/comments/limits.ts";
import { addComment, confirmComment, deleteOwnComment } from "#worker/comments/commands.ts";
import { answerComment, deleteComments, moderateComments } from "#worker/comments/owner-commands.ts";
import { listAllComments } from "#worker/comments/owner-queries.ts";
import { listComments, readCommentedPath } from "#worker/comments/queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import {
  answerForms,
  limitBody,
  linkPage,
  MAX_FORM_BODY,
  publicForm,
  readFields,
} from "#worker/platform/http/forms.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";

export const commentsApi = router()
  .get("/", valid("query", CommentsQuery), async (c) =>
    c.json(await listComments(c.var.ctx, c.req.valid("query"))),
  )
  .route(
    "/",
    publicForm<NewComment>({
      name: "comment",
      page: readCommentedPath,
      thanks: commentAnswers.success,
      asksTurnstile: true,
      maxBody: MAX_FORM_BODY,
      take: addComment,
    }),
  )
  .post(
    "/confirm",
    answerForms({ page: linkPage("/comment"), sent: "/comment?confirmed=1" }),
    limitBody,
    limitBurst("comment-link"),
    async (c) => {
      const { token } = await readFields(c);
      await confirmComment(c.var.ctx, { token } as CommentLink);
      return c.json({ success: true, message: CONFIRMED });
    },
  )
  .post(
    "/delete",
    answerForms({ page: linkPage("/comment"), sent: "/comment?deleted=1" }),
    limitBody,
    limitBurst("comment-link"),
    async (c) => {
      const { token } = await readFields(c);
      await deleteOwnComment(c.var.ctx, { token } as CommentLink);
      return c.json({ success: true, message: DELETED });
    },
  );

/** Paths below /api that accept HTML forms; each reads its own body. */
export const commentForms = ["/comments", "/comments/confirm", "/comments/delete"];

export const commentsAdminApi = router()
  .get("/", valid("query", CommentListQuery), async (c) =>
    c.json(await listAllComments(c.var.ctx, c.req.valid("query"))),
  )
  .patch("/", json<Moderation>(), async (c) => c.json(await moderateComments(c.var.ctx, c.req.valid("json"))))
  .post("/delete", json<CommentChoice>(), async (c) =>
    c.json(await deleteComments(c.var.ctx, c.req.valid("json"))),
  )
  .post("/:id/answer", valid("param", IdParam), json<Answer>(), async (c) =>
    c.json(await answerComment(c.var.ctx, c.req.valid("param").id, c.req.valid("json")), 201),
  );
