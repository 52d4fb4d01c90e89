import { siteContext } from "#site/context.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { postDefaults, type PostInput } from "#worker/social/contract.ts";
import { readSocialPostForEdit } from "#worker/social/owner-queries.ts";
import { NEW } from "../../form/new-item.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PostForm } from "./post-form.tsx";
import { postActions } from "./save.ts";
import type { Route } from "./+types/post";

const titleOf = (id: string) => (id === NEW ? "New social post" : "Edit social post");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) return load(readSocialPostForEdit(ctx, Number(id)));
  return load(readNewPost(ctx));
}

/** By the site, as of now. */
async function readNewPost(ctx: Context) {
  const { name: author } = await readSite(ctx);
  const values: PostInput = {
    platform: "linkedin",
    author,
    content: "",
    date: ctx.now.getTime(),
    ...postDefaults,
  };
  return { id: undefined, updatedAt: undefined, values };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? postActions.create(form) : postActions.update(form, id);
}

export default function PostPage({ loaderData: { id, updatedAt, values }, params }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(params.id)}</h1>
      <PostForm key={params.id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
