import { useEffect, useRef } from "react";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { CommentBox, OwnerComment } from "#worker/comments/contract.ts";
import { ActionButton } from "../../form/form.tsx";
import { PartContext } from "../../form/leaving.ts";
import { AnswerForm } from "./answer-form.tsx";
import { boxNames, boxTones, LIST, moves } from "./comment-boxes.ts";
import type { Answering } from "./use-answering.ts";

type Props = {
  comment: OwnerComment;
  /** If the list spans several boxes. */
  showsBox: boolean;
  isChosen: boolean;
  onMark: (isMarked: boolean) => void;
  onDelete: () => void;
  answering: Answering;
};

export function CommentRow({ comment, showsBox, isChosen, onMark, onDelete, answering }: Props) {
  const { id, name, text, status, spamReason } = comment;
  const isAnswered = answering.id === id;
  const answerButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isAnswered) return;
    // After a closing question has returned the focus.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The button at cleanup time is meant.
    return () => void setTimeout(() => answerButton.current?.focus());
  }, [isAnswered]);
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 border-t border-rule py-4">
      <input
        type="checkbox"
        aria-label={`Choose the comment of ${name}`}
        className="mt-1 size-4"
        checked={isChosen}
        onChange={(event) => onMark(event.currentTarget.checked)}
      />
      <div className="grid min-w-0 grid-cols-1 gap-2">
        <Facts comment={comment} />
        {(showsBox || spamReason) && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {showsBox && <Badge tone={boxTones[status]}>{boxNames[status as CommentBox]}</Badge>}
            {spamReason && <span className="wrap-anywhere text-muted">{spamReason}</span>}
          </p>
        )}
        <p dir="auto" className="max-w-3xl wrap-anywhere whitespace-pre-line">
          {text}
        </p>
        {isAnswered ? (
          <PartContext value={answering.part}>
            <AnswerForm id={id} isApproved={status === "approved"} />
          </PartContext>
        ) : (
          <div className="-ml-3 flex flex-wrap gap-1">
            {moves[status].map(({ to, label }) => (
              <ActionButton
                key={to}
                intent={to}
                values={{ ids: String(id) }}
                tone="bare"
                size="sm"
                aria-label={`${label}: comment of ${name}`}
              >
                {label}
              </ActionButton>
            ))}
            <Button
              ref={answerButton}
              tone="bare"
              size="sm"
              aria-label={`Answer the comment of ${name}`}
              onClick={() => answering.open(id)}
            >
              Answer
            </Button>
            <Button tone="bare" size="sm" aria-label={`Delete the comment of ${name}`} onClick={onDelete}>
              Delete
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

/** Who wrote it, when, and about what. */
const Facts = ({ comment }: { comment: OwnerComment }) => {
  const { name, email, isOwner, createdAt, about, parentId } = comment;
  return (
    <div className="grid grid-cols-1 gap-1 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <bdi className="min-w-0 font-medium wrap-anywhere">{name}</bdi>
        {isOwner ? (
          <Badge tone="accent">Author</Badge>
        ) : (
          <Link
            to={`${LIST}?${new URLSearchParams({ email })}`}
            className="min-w-0 wrap-anywhere text-muted underline-offset-4 hover:underline"
          >
            {email}
          </Link>
        )}
        <DateTime at={createdAt} format={formatDateTime} className="text-muted" />
      </p>
      <p className="wrap-anywhere text-muted">
        <span>{parentId === null ? "On " : "An answer, on "}</span>
        {about?.isPublished ? (
          <a href={about.path} className="link">
            {about.title}
          </a>
        ) : (
          <span>{about?.title ?? "something since deleted"}</span>
        )}
      </p>
    </div>
  );
};
