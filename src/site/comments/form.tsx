import { useState, type ReactNode, type Ref } from "react";
import { Button } from "#site/ui/button.tsx";
import { SelectField, TextArea } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import type { CommentedKind } from "#worker/comments/contract.ts";
import { commentLimits } from "#worker/comments/limits.ts";
import { countCharacters } from "#worker/platform/graphemes.ts";
import { FormGuard } from "../forms/guard.tsx";
import { Outcome } from "../forms/outcome.tsx";
import { targetOf, type CommentThread } from "./threads.ts";
import { useComment } from "./use-comment.ts";

export const FORM_ID = "comment-form";

type Props = {
  ref: Ref<HTMLFormElement>;
  kind: CommentedKind;
  contentId: number;
  /** Those that can be answered. */
  threads: CommentThread[];
};

export function CommentForm({ ref, kind, contentId, threads }: Props) {
  const { state, error, submit } = useComment();
  const [length, setLength] = useState(0);
  const errorOf = (field: string) => (error?.field === field ? error.message : null);
  return (
    <form
      ref={ref}
      id={FORM_ID}
      method="post"
      action="/api/comments"
      aria-labelledby="comment-form-title"
      onSubmit={(event) => void submit(event)}
      onReset={() => setLength(0)}
      className="grid max-w-[36rem] grid-cols-1 gap-5 border-t border-rule pt-6 pb-8"
    >
      <h3 id="comment-form-title" className="text-lg font-semibold">
        Write a comment
      </h3>
      <FormGuard form="comment" />
      <input type="hidden" name="contentType" value={kind} />
      <input type="hidden" name="contentId" value={contentId} />
      {threads.length > 0 && (
        <SelectField label="In answer to" name="parentId" error={errorOf("parentId")}>
          <option value="">{`The ${kind === "article" ? "essay" : "episode"}`}</option>
          {threads.map((thread) => {
            const { id, name, text } = targetOf(thread);
            return (
              <option key={id} value={id} dir="auto">
                {beginningOf(`${name}: ${text}`)}
              </option>
            );
          })}
        </SelectField>
      )}
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          required
          autoComplete="name"
          dir="auto"
          help="Shown with your comment."
          error={errorOf("name")}
        />
        <TextField
          label="Email address"
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          help="Not shown. A link to confirm your comment is sent there."
          error={errorOf("email")}
        />
      </div>
      <TextArea
        label="Comment"
        name="text"
        required
        rows={7}
        dir="auto"
        help={<Length length={length} />}
        error={errorOf("text")}
        onChange={(event) => setLength(countCharacters(event.currentTarget.value.trim()))}
      />
      <div>
        <Button type="submit" tone="primary" busy={state === "submitting"}>
          {state === "submitting" ? "Sending..." : "Send comment"}
        </Button>
        {!error && (
          <Outcome
            form="comment"
            state={state}
            success="Thank you. Check your email: your comment is passed on once you have confirmed it there."
            error="Your comment was not sent. Please look through it and try again in a while."
          />
        )}
      </div>
    </form>
  );
}

/** Characters of a comment that the choice shows. */
const SHOWN = 60;

function beginningOf(text: string) {
  const line = text.replace(/\s+/g, " ");
  return line.length <= SHOWN ? line : line.slice(0, SHOWN).replace(/\s?\S*$/, "…");
}

const MOST = commentLimits.text.toLocaleString("en");

/** Counts as the server does, once something is typed. */
function Length({ length }: { length: number }): ReactNode {
  const over = length - commentLimits.text;
  if (length === 0) return `At most ${MOST} characters.`;
  if (over <= 0)
    return <span className="figures">{`${length.toLocaleString("en")} of ${MOST} characters`}</span>;
  return (
    <span role="status" className="figures font-medium text-danger">
      {`${over.toLocaleString("en")} ${over === 1 ? "character" : "characters"} too many`}
    </span>
  );
}
