import type { CommentedKind } from "#worker/comments/contract.ts";
import { commentAnswers, commentLimits } from "#worker/comments/limits.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { FormLongText, FormSelect, FormText } from "../forms/fields.tsx";
import { PublicForm } from "../forms/public-form.tsx";
import { names, targetOf, type CommentThread } from "./threads.ts";

export const FORM_ID = "comment-form";

type Props = {
  kind: CommentedKind;
  contentId: number;
  /** The threads that can be answered. */
  threads: CommentThread[];
  /** The comment named by a reply link. */
  replyTo: string | null;
  sent: SentForm | null;
};

export function CommentForm({ kind, contentId, threads, replyTo, sent }: Props) {
  const comments = beginningsOf(threads);
  const options = withChosen(comments, sent?.values["parentId"]);
  return (
    <div className="max-w-[36rem] border-t border-rule pt-6 pb-8 print:hidden">
      <h3 id="comment-form-title" className="mb-5 text-lg font-semibold">
        Write a comment
      </h3>
      <PublicForm
        name="comment"
        draft={`comment-${kind}-${contentId}`}
        id={FORM_ID}
        aria-labelledby="comment-form-title"
        action="/api/comments"
        limits={commentLimits}
        sent={sent}
        keeps={["name", "email"]}
        answers={commentAnswers}
        button="Send comment"
        busy="Sending..."
      >
        <input type="hidden" name="contentType" value={kind} />
        <input type="hidden" name="contentId" value={contentId} />
        {Object.keys(options).length > 0 && (
          <FormSelect
            label="In reply to"
            name="parentId"
            placeholder={`The ${names[kind]}`}
            options={options}
            chosen={replyTo !== null && Object.hasOwn(comments, replyTo) ? replyTo : ""}
          />
        )}
        <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
          <FormText
            label="Name"
            name="name"
            required="Name is required"
            limit={commentLimits.name}
            autoComplete="name"
            help="Shown with your comment."
          />
          <FormText
            label="Email address"
            type="email"
            name="email"
            required="Email is required"
            maxLength={254}
            autoComplete="email"
            help="Not shown. We’ll email you a link to confirm your comment."
          />
        </div>
        <FormLongText
          label="Comment"
          name="text"
          required="Comment is required"
          rows={7}
          limit={commentLimits.text}
          help={`At most ${commentLimits.text.toLocaleString("en")} characters.`}
        />
      </PublicForm>
    </div>
  );
}

/** The beginnings of answerable comments, by id. */
const beginningsOf = (threads: CommentThread[]): Record<string, string> =>
  Object.fromEntries(
    threads.map((thread) => {
      const { id, name, text } = targetOf(thread);
      return [id, beginningOf(`${name}: ${text}`.replace(/\s+/g, " "), SHOWN)];
    }),
  );

/** A redisplayed form lists the first comments, which may not include the chosen one. */
const withChosen = (comments: Record<string, string>, chosen = ""): Record<string, string> =>
  chosen === "" || Object.hasOwn(comments, chosen)
    ? comments
    : { ...comments, [chosen]: "The comment you chose" };

/** Characters of a comment that the choice shows. */
const SHOWN = 60;
