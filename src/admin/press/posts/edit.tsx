import { redirect } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readSocialPostForEdit } from "#worker/social/owner-queries.ts";
import { basedOnOf } from "../../form/submit.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { toast } from "../../shell/toast.tsx";
import { PostForm } from "./post-form.tsx";
import { savePost } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit social post");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readSocialPostForEdit(context.get(siteContext), Number(params.id)));

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return savePost(form, async (post) => {
    const json = { ...post, basedOn: basedOnOf(form) };
    await ensureOk(api["social-posts"][":id"].$patch({ param: { id }, json }));
    toast.success("Social post updated successfully");
    return redirect("/admin/media/posts");
  });
}

export default function EditPost({ loaderData: { id, updatedAt, values } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit social post</h1>
      <PostForm key={id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
