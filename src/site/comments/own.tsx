import { siteContext } from "#site/context.ts";
import type { OwnComment } from "#worker/comments/contract.ts";
import { readOwnComment } from "#worker/comments/queries.ts";
import type { Route } from "./+types/own.ts";
import {
  Deletion,
  FAILURE,
  home,
  LinkForm,
  personal,
  Result,
  resultOf,
  Screen,
  unlisted,
  useLinkForm,
} from "../newsletter/link-page.tsx";
import { PageError } from "../page-error.tsx";

export const headers = personal;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  return {
    token,
    // Without a token it shows the result of a form without scripts.
    own: await readOwnComment(ctx, token),
    isConfirmed: url.searchParams.has("confirmed"),
    isDeleted: url.searchParams.has("deleted"),
  };
}

export const meta = unlisted;

/** The page of the link in a comment's email. Only a button confirms or deletes: mail scanners open every link. */
export default function OwnCommentPage({ loaderData }: Route.ComponentProps) {
  const { token, own, isConfirmed, isDeleted } = loaderData;
  if (isConfirmed) return <Confirmed />;
  if (isDeleted) return <Deleted />;
  if (own.state === "invalid") return <Refused message={own.message} />;
  if (own.state === "gone") return <Gone />;
  return <Choices token={token} own={own} />;
}

type Ready = Extract<OwnComment, { state: "ready" }>;

function Choices({ token, own }: { token: string; own: Ready }) {
  const confirming = useLinkForm("/api/comments/confirm", token);
  const deleting = useLinkForm("/api/comments/delete", token);
  const result =
    resultOf(confirming, <Confirmed about={own.about} />, Refused) ||
    resultOf(deleting, <Deleted />, Refused);
  if (result) return <Result>{result}</Result>;
  const isNew = own.stage === "unconfirmed";
  const { title, text } = stages[own.stage];
  return (
    <Screen
      title={title}
      text={text}
      ways={own.about && own.stage === "shown" ? [{ to: own.about.path, label: "Read it there" }] : []}
    >
      <Quote own={own} />
      {isNew && <LinkForm link={confirming} name="link" button="Confirm comment" failure={FAILURE} />}
      <Deletion link={deleting} title="Delete this comment" button="Delete comment">
        <p>Your comment, name and address are deleted. Answers to it stay.</p>
      </Deletion>
    </Screen>
  );
}

const stages: Record<Ready["stage"], { title: string; text: string }> = {
  unconfirmed: {
    title: "Confirm your comment",
    text: "After you confirm it, we read your comment before it’s shown.",
  },
  pending: { title: "Your comment is confirmed", text: "We read every comment before it’s shown." },
  shown: { title: "Your comment is published", text: "You can delete it here at any time." },
  hidden: { title: "Your comment isn’t shown", text: "You can delete it here." },
};

const Quote = ({ own: { name, text, about } }: { own: Ready }) => (
  <figure className="grid w-full max-w-xl grid-cols-1 gap-2 border-l-2 border-rule pl-4">
    <blockquote dir="auto" className="font-reading text-lg whitespace-pre-line">
      {text}
    </blockquote>
    <figcaption className="text-sm text-muted">
      <bdi>{name}</bdi>
      {about && (
        <span>
          {", on "}
          <bdi>{about.title}</bdi>
        </span>
      )}
    </figcaption>
  </figure>
);

const Confirmed = ({ about }: { about?: Ready["about"] }) => (
  <Screen
    title="Thank you for your comment"
    text="It’s confirmed, and we’ll read it before it’s shown. You can delete it at any time with the link in the email."
    ways={about ? [{ to: about.path, label: "Back to where you were" }, home] : [home]}
    isGood
  />
);

const Deleted = () => (
  <Screen
    title="Your comment is deleted"
    text="Your comment, name and address have been deleted."
    ways={[home]}
    isGood
  />
);

const Gone = () => <Screen title="There’s no comment here" text="This comment was deleted." ways={[home]} />;

const Refused = ({ message }: { message: string }) => (
  <Screen title="This link doesn’t work" text={message} ways={[home]} />
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
