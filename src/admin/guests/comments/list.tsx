import { useState } from "react";
import { Form } from "react-router";
import { siteContext } from "#site/context.ts";
import { Link } from "#site/document/link.tsx";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { TextField } from "#site/ui/field.tsx";
import { grouped } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import {
  commentBoxes,
  CommentListQuery,
  type CommentBox,
  type CommentCounts,
  type OwnerComment,
} from "#worker/comments/contract.ts";
import { listAllComments } from "#worker/comments/owner-queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { BoxLinks } from "../box-tabs.tsx";
import { boxNames, LIST } from "./comment-boxes.ts";
import { errorPage } from "../../shell/error-page.tsx";
import { requireTab } from "../../shell/guard.ts";
import { ListPages, listQueryOf } from "../../lists/list-filters.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { useDeleteQuestion } from "../../lists/list-page.tsx";
import { Rows } from "../rows.tsx";
import { ChosenActions } from "./chosen.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { CommentRow } from "./row.tsx";
import { saveComments } from "./save.ts";
import { useAnswering } from "./use-answering.ts";
import type { Route } from "./+types/list";

export const middleware = requireTab("guests");

export const meta = pageTitle("Comments");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const asked = listQueryOf(url.searchParams, CommentListQuery, "comments");
  // For one address all boxes are shown, otherwise one at a time.
  const query = asked.email || asked.box ? asked : { ...asked, box: "pending" as const };
  const [list, { features }] = await Promise.all([load(listAllComments(ctx, query)), readSite(ctx)]);
  return { ...list, query, isOn: features.comments };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveComments(request);

export default function CommentList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: comments, next, counts, query, isOn } = loaderData;
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  // A selection belongs to its list.
  const shown = JSON.stringify(query);
  const [markedIn, setMarkedIn] = useState(shown);
  if (shown !== markedIn) {
    setMarkedIn(shown);
    setMarked(new Set());
  }
  // Moved or deleted comments are no longer selected.
  const chosen = comments.filter(({ id }) => marked.has(id));
  const mark = (ids: number[], isMarked: boolean) =>
    setMarked((before) => {
      const after = new Set(before);
      for (const id of ids)
        if (isMarked) after.add(id);
        else after.delete(id);
      return after;
    });
  const deletion = useDeleteQuestion<OwnerComment[]>(actionData);
  const answering = useAnswering(actionData, comments);
  return (
    <>
      <header className="mb-6 grid gap-2">
        <h1 className="text-xl font-semibold">Comments</h1>
        {!isOn && <SwitchedOff />}
      </header>
      <Boxes counts={counts} box={query.box} />
      <AddressSearch key={query.email} email={query.email} />
      {comments.length > 0 && (
        <ChosenActions
          comments={comments}
          chosen={chosen}
          box={query.box}
          onMark={mark}
          onDelete={() => deletion.ask(chosen)}
          answering={answering}
        />
      )}
      <Rows
        version={comments.map(({ id, status }) => `${id} ${status}`).join()}
        empty={
          <Nothing box={query.box} isFiltered={query.email !== undefined || query.before !== undefined} />
        }
      >
        {comments.map((comment) => (
          <CommentRow
            key={comment.id}
            comment={comment}
            showsBox={query.box === undefined}
            isChosen={marked.has(comment.id)}
            onMark={(isMarked) => mark([comment.id], isMarked)}
            onDelete={() => deletion.ask([comment])}
            answering={answering}
          />
        ))}
      </Rows>
      <ListPages path={LIST} query={query} count={comments.length} next={next} noun="comments" />
      <DeleteDialog
        comments={deletion.item}
        losesAnswer={answering.isUnsavedAmong(deletion.item ?? [])}
        onClose={deletion.close}
      />
    </>
  );
}

const SwitchedOff = () => (
  <p className="text-sm text-muted">
    Comments are off: readers can’t see or write any.{" "}
    <Link to="/admin/settings/features" className="link">
      Feature settings
    </Link>
  </p>
);

/** A GET form: the search is in the address. */
const AddressSearch = ({ email }: { email: string | undefined }) => (
  <Form role="search" className="mb-6 flex flex-wrap items-end gap-3">
    <TextField
      label="Commenter’s email"
      name="email"
      type="search"
      defaultValue={email}
      maxLength={254}
      className="min-w-40 flex-1 sm:max-w-80"
    />
    <ButtonRow>
      <Button type="submit">Search</Button>
      {email && (
        <ButtonLink to={LIST} tone="bare">
          Clear
        </ButtonLink>
      )}
    </ButtonRow>
  </Form>
);

function Nothing({ box, isFiltered }: { box: CommentBox | undefined; isFiltered: boolean }) {
  if (isFiltered) {
    return <EmptyState title="No comments found">Enter the whole address, or clear the search.</EmptyState>;
  }
  if (box === undefined || box === "pending") {
    return (
      <EmptyState title="Nothing to review">
        Comments appear here once their writers have confirmed them by email.
      </EmptyState>
    );
  }
  return <EmptyState title={`No ${boxNames[box].toLowerCase()} comments`} />;
}

export const ErrorBoundary = errorPage("Failed to fetch comments");

type BoxesProps = { counts: CommentCounts; box: CommentBox | undefined };

/** The boxes with their counts. Unconfirmed comments are only counted, since their writers are unknown. */
const Boxes = ({ counts, box }: BoxesProps) => (
  <BoxLinks
    links={commentBoxes.map((name) => ({
      to: name === "pending" ? LIST : `${LIST}?box=${name}`,
      label: boxNames[name],
      count: counts[name],
      isOpen: name === box,
    }))}
  >
    {counts.unconfirmed > 0 && (
      <span className="text-muted">{`${grouped(counts.unconfirmed)} not confirmed yet`}</span>
    )}
  </BoxLinks>
);
