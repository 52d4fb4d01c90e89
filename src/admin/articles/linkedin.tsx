import { siteContext } from "#site/context.ts";
import { listImports } from "#worker/imports/import-queries.ts";
import { readUndo } from "#worker/imports/undo.ts";
import { readSite } from "#worker/settings/queries.ts";
import { actOnImport } from "../moving-in/act-on-import.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PostList } from "../moving-in/linkedin/post-list.tsx";
import { Sources } from "../moving-in/linkedin/sources.tsx";
import { Underway } from "../moving-in/linkedin/underway.tsx";
import { useImport } from "../moving-in/linkedin/use-import.ts";
import { usePosts } from "../moving-in/linkedin/use-posts.ts";
import { Undo } from "../moving-in/wizard/undo.tsx";
import type { Route } from "./+types/linkedin";

export const meta = pageTitle("LinkedIn Import");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ social }, { items }] = await load(
    Promise.all([readSite(ctx), listImports(ctx, { kind: "linkedin" })]),
  );
  // An import in state `open` was abandoned, or is about to be started.
  const latest = items.find(({ state }) => state !== "open") ?? null;
  return {
    isConnected: ctx.config.linkedIn !== undefined,
    profileUrl: social.linkedin ?? "",
    latest,
    undo: latest && (await load(readUndo(ctx, latest.id))),
  };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return actOnImport(form, String(form.get("import")));
}

export default function LinkedInImport({
  loaderData: { isConnected, profileUrl, latest, undo },
}: Route.ComponentProps) {
  const posts = usePosts();
  const { isStarting, createdId, importPosts, follow } = useImport(posts);
  const isRunning = latest?.state === "running" || latest?.state === "paused";
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">LinkedIn Import</h1>
      <div className="grid gap-10">
        {latest && (
          <Underway key={latest.id} loaded={latest} isOurs={latest.id === createdId} onMoved={follow} />
        )}
        {posts.listed ? (
          <PostList
            {...posts}
            listed={posts.listed}
            isBusy={isStarting || isRunning}
            onImport={(rows, as) => void importPosts(rows, as)}
          />
        ) : (
          <>
            <Sources isConnected={isConnected} profileUrl={profileUrl} {...posts} />
            {latest && undo && !isRunning && (
              <Undo
                undo={undo}
                isUndone={latest.undoneAt !== null}
                one="post"
                values={{ import: String(latest.id) }}
              />
            )}
          </>
        )}
      </div>
    </>
  );
}
