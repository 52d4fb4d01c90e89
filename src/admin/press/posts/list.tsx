import { useNavigation, useSubmit } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { isAllowed } from "#worker/access/capabilities.ts";
import { readSite } from "#worker/settings/queries.ts";
import { SHOWN_POSTS, type SocialPost } from "#worker/social/contract.ts";
import { listAllSocialPosts } from "#worker/social/owner-queries.ts";
import { ErrorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { useDeleteQuestion } from "../../lists/use-delete-question.ts";
import { Followers } from "./followers.tsx";
import { PostList } from "./post-list.tsx";
import { deletePost } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Social posts");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [list, { socialProof }] = await load(
    Promise.all([listAllSocialPosts(ctx, { before }), readSite(ctx)]),
  );
  return { ...list, isOlder: before !== undefined, socialProof, maySet: isAllowed("settings", ctx) };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  deletePost(await request.formData());

export default function SocialPosts({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, isOlder, socialProof, maySet } = loaderData;
  const deletion = useDeleteQuestion<SocialPost>(actionData);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Social posts</h1>
        <ButtonLink to="/admin/media/posts/new" tone="primary">
          New social post
        </ButtonLink>
      </header>
      {items.length > 0 ? (
        <PostList posts={items} shown={isOlder ? 0 : SHOWN_POSTS} onDelete={deletion.ask} />
      ) : (
        <Nothing isOlder={isOlder} />
      )}
      {(next || isOlder) && (
        <ButtonRow className="mt-6">
          {isOlder && <ButtonLink to="/admin/media/posts">Newest social posts</ButtonLink>}
          {next && <ButtonLink to={`/admin/media/posts?before=${next}`}>Older social posts</ButtonLink>}
        </ButtonRow>
      )}
      <Followers rows={socialProof} maySet={maySet} />
      <DeleteDialog post={deletion.item} onClose={deletion.close} />
    </>
  );
}

const Nothing = ({ isOlder }: { isOlder: boolean }) =>
  isOlder ? (
    <EmptyState title="No older social posts" />
  ) : (
    <EmptyState title="No social posts yet">
      Copy one from where you posted it. The front page shows the four newest.
    </EmptyState>
  );

type DialogProps = { post: SocialPost | null; onClose: () => void };

function DeleteDialog({ post, onClose }: DialogProps) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={post !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this social post?"
      confirm="Delete social post"
      busy={isBusy}
      onConfirm={() => post && void submit({ intent: "delete", id: post.id }, { method: "post" })}
    >
      <p className="line-clamp-3 wrap-anywhere">{`“${post?.content ?? ""}”`}</p>
      <p>It’s removed from this site for good. The original post stays.</p>
    </ConfirmDialog>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <ErrorPage error={error} failed="Failed to fetch social posts" />
);
