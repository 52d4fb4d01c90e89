import { siteContext } from "#site/context.ts";
import { readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PressForm } from "./press-form.tsx";
import { pressActions, updatedWords } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit media item");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readPressItemForEdit(context.get(siteContext), Number(params.id)));

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return pressActions.update(form, id, { done: ({ published }) => updatedWords(form, published) });
}

export default function EditPressItem({ loaderData: { id, updatedAt, values } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit media item</h1>
      <PressForm key={id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
