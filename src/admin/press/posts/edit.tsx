import { siteContext } from "#site/context.ts";
import { readSocialPostForEdit } from "#worker/social/owner-queries.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { PostForm } from "./post-form.tsx";
import { postActions } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit social post");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readSocialPostForEdit(context.get(siteContext), Number(params.id)));

export const clientAction = async ({ request, params: { id } }: Route.ClientActionArgs) =>
  postActions.update(await request.formData(), id);

export default function EditPost({ loaderData: { id, updatedAt, values } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit social post</h1>
      <PostForm key={id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
