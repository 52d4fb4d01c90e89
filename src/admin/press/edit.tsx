import { redirect } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { basedOnOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { toast } from "../shell/toast.tsx";
import { PressForm } from "./press-form.tsx";
import { savePressItem, updatedWords } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit media item");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readPressItemForEdit(context.get(siteContext), Number(params.id)));

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return savePressItem(form, async (item) => {
    const json = { ...item, basedOn: basedOnOf(form) };
    await ensureOk(api.press[":id"].$patch({ param: { id }, json }));
    toast.success(updatedWords(form, item.published));
    return redirect("/admin/media");
  });
}

export default function EditPressItem({ loaderData: { id, updatedAt, values } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit media item</h1>
      <PressForm key={id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
