import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { isAllowed } from "#worker/access/capabilities.ts";
import { readSite } from "#worker/settings/queries.ts";
import { SHOWN_POSTS, type SocialPost } from "#worker/social/contract.ts";
import { listAllSocialPosts } from "#worker/social/owner-queries.ts";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { Followers } from "./followers.tsx";
import { PostList } from "./post-list.tsx";
import { postActions } from "./save.ts";
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
  postActions.remove(await request.formData());

export default function SocialPosts({ loaderData, actionData }: Route.ComponentProps) {
  const { items, next, isOlder, socialProof, maySet } = loaderData;
  return (
    <ListPage<SocialPost>
      title="Social posts"
      actions={
        <ButtonLink to="/admin/media/posts/new" tone="primary">
          New social post
        </ButtonLink>
      }
      answer={actionData}
      noun="social post"
      renderText={({ content }) => (
        <>
          <p className="line-clamp-3 wrap-anywhere">{`“${content}”`}</p>
          <p>It’s removed from this site for good. The original post stays.</p>
        </>
      )}
    >
      {(ask) => (
        <>
          {items.length > 0 ? (
            <PostList posts={items} shown={isOlder ? 0 : SHOWN_POSTS} onDelete={ask} />
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
        </>
      )}
    </ListPage>
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

export const ErrorBoundary = errorPage("Failed to fetch social posts");
