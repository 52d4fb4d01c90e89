import { siteContext } from "#site/context.ts";
import { readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ventureActions } from "./save.ts";
import { VentureForm } from "./venture-form.tsx";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit venture");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readVentureForEdit(context.get(siteContext), Number(params.id)));

export const clientAction = async ({ request, params: { id } }: Route.ClientActionArgs) =>
  ventureActions.update(await request.formData(), id);

export default function EditVenture({ loaderData: { id, updatedAt, values, image } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit venture</h1>
      <VentureForm key={id} basedOn={updatedAt} values={values} image={image} />
    </>
  );
}
