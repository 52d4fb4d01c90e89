import { useEffect } from "react";
import { LATE, LATE_HYDRATED } from "#site/document/deferred-hydration.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import type { CommentedKind, CommentList } from "#worker/comments/contract.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { CommentForm, FORM_ID } from "./form.tsx";
import { Thread } from "./thread.tsx";
import { names, threadsOf } from "./threads.ts";

export type SectionProps = {
  comments: CommentList;
  kind: CommentedKind;
  contentId: number;
  /** The page's path. */
  path: string;
  /** The cursor of this page of comments; null for the first. */
  after: string | null;
  /** The comment named by a reply link that was followed before hydration. */
  replyTo: string | null;
  /** A refused form of a browser without scripts. */
  sent: SentForm | null;
};

/** The readers' comments and the form. Works without scripts. */
export default function CommentsSection(props: SectionProps) {
  const { comments, kind, contentId, path, after, replyTo, sent } = props;
  useEffect(() => void dispatchEvent(new Event(LATE_HYDRATED)), []);
  const threads = threadsOf(comments.items, after);
  const replyPath = (to: number) =>
    `${path}?${new URLSearchParams({ ...(after !== null && { comments: after }), reply: String(to) })}#${FORM_ID}`;
  return (
    <section id="comments" {...{ [LATE]: "" }} aria-labelledby="comments-title" className="page mt-8">
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 border-t border-ink pt-6 lg:grid-cols-12">
        <h2 id="comments-title" className="headline text-xl lg:col-span-3">
          {comments.count === 0 ? "Comments" : counted(comments.count, "comment")}
        </h2>
        <div className="min-w-0 lg:col-span-8 lg:col-start-4">
          {threads.length === 0 && <Empty kind={kind} isFirst={after === null} />}
          <ol>
            {threads.map((thread) => (
              <Thread key={thread.id} thread={thread} replyPath={replyPath} onReply={startReply} />
            ))}
          </ol>
          <Pages path={path} next={comments.next} isFirst={after === null} />
          <CommentForm key={contentId} {...{ kind, contentId, threads, replyTo, sent }} />
        </div>
      </div>
    </section>
  );
}

/** Selects a comment in the form, and scrolls there. */
function startReply(to: number) {
  const form = document.getElementById(FORM_ID) as HTMLFormElement;
  const { parentId, text } = form.elements as unknown as Record<string, HTMLTextAreaElement>;
  parentId!.value = String(to);
  text!.focus();
}

const Empty = ({ kind, isFirst }: { kind: CommentedKind; isFirst: boolean }) => (
  <p className="pb-8 font-reading text-lg text-muted">
    {isFirst ? `No comments on this ${names[kind]} yet.` : "No more comments."}
  </p>
);

function Pages({ path, next, isFirst }: { path: string; next: string | null; isFirst: boolean }) {
  if (next === null && isFirst) return null;
  return (
    <ButtonRow className="border-t border-rule py-6">
      {!isFirst && <ButtonLink to={`${path}#comments`}>First comments</ButtonLink>}
      {next && <ButtonLink to={`${path}?comments=${next}#comments`}>More comments</ButtonLink>}
    </ButtonRow>
  );
}
