import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatLongDate } from "#site/ui/format.ts";
import type { Comment } from "#worker/comments/contract.ts";
import { targetOf, type CommentThread } from "./threads.ts";

type Replying = {
  /** The address of a reply link before hydration. */
  replyPath: (to: number) => string;
  onReply: (to: number) => void;
};
type Props = { thread: CommentThread } & Replying;

/** Set like letters to the editor: the text, and the name below. */
export const Thread = ({ thread, replyPath, onReply }: Props) => {
  const { first, replies } = thread;
  return (
    <li className="grid grid-cols-1 gap-6 border-t border-rule py-6 first:border-t-0 first:pt-0">
      {typeof first === "string" ? (
        <p className="text-muted">
          {first === "deleted" ? "Deleted comment" : "In reply to an earlier comment"}
        </p>
      ) : (
        <Letter comment={first} />
      )}
      {replies.length > 0 && (
        <ol className="grid grid-cols-1 gap-6 border-l-2 border-rule pl-4">
          {replies.map((reply) => (
            <li key={reply.id}>
              <Letter comment={reply} />
            </li>
          ))}
        </ol>
      )}
      <ReplyLink to={targetOf(thread)} {...{ replyPath, onReply }} />
    </li>
  );
};

const Letter = ({ comment: { id, name, text, isOwner, createdAt } }: { comment: Comment }) => (
  <article id={`comment-${id}`} aria-label={`Comment by ${name}`} className="grid grid-cols-1 gap-2">
    <p dir="auto" className="max-w-[36rem] font-reading text-lg whitespace-pre-line">
      {text}
    </p>
    <p className="flex max-w-[36rem] flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <bdi className="min-w-0 font-semibold">{name}</bdi>
      {isOwner && <Badge tone="accent">Author</Badge>}
      <a href={`#comment-${id}`} className="text-muted underline-offset-4 hover:underline">
        <DateTime at={createdAt} format={formatLongDate} />
      </a>
    </p>
  </article>
);

/** Links to the form, with the comment selected. */
const ReplyLink = ({ to: { id, name }, replyPath, onReply }: { to: Comment } & Replying) => (
  <p className="text-sm">
    <a
      href={replyPath(id)}
      rel="nofollow"
      aria-label={`Reply to ${name}`}
      className="link"
      onClick={(event) => {
        event.preventDefault();
        onReply(id);
      }}
    >
      Reply
    </a>
  </p>
);
