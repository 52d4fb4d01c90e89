import { redirect } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { basedOnOf } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { toast } from "../shell/toast.tsx";
import { saveVenture } from "./save.ts";
import { VentureForm } from "./venture-form.tsx";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit venture");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readVentureForEdit(context.get(siteContext), Number(params.id)));

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return saveVenture(form, async (venture) => {
    const json = { ...venture, basedOn: basedOnOf(form) };
    await ensureOk(api.ventures[":id"].$patch({ param: { id }, json }));
    toast.success("Venture updated successfully");
    return redirect("/admin/ventures");
  });
}

export default function EditVenture({ loaderData: { id, updatedAt, values, image } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit venture</h1>
      <VentureForm key={id} basedOn={updatedAt} values={values} image={image} />
    </>
  );
}
