import { siteContext } from "#site/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { postDefaults } from "#worker/social/contract.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PostForm } from "./post-form.tsx";
import { postActions } from "./save.ts";
import type { Route } from "./+types/new";

export const meta = pageTitle("New social post");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { name } = await load(readSite(ctx));
  return { author: name, now: ctx.now.getTime() };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  postActions.create(await request.formData());

export default function NewPost({ loaderData: { author, now } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New social post</h1>
      <PostForm values={{ platform: "linkedin", author, content: "", date: now, ...postDefaults }} />
    </>
  );
}
