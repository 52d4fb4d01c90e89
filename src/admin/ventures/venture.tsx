import { siteContext } from "#site/context.ts";
import { readNewVenture, readVentureForEdit } from "#worker/ventures/owner-queries.ts";
import { NEW } from "../form/new-item.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ventureActions } from "./save.ts";
import { VentureForm } from "./venture-form.tsx";
import type { Route } from "./+types/venture";

const titleOf = (id: string) => (id === NEW ? "Add venture" : "Edit venture");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) return load(readVentureForEdit(ctx, Number(id)));
  return { values: await load(readNewVenture(ctx)), image: null, updatedAt: undefined };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? ventureActions.create(form) : ventureActions.update(form, id);
}

export default function VenturePage({
  loaderData: { values, image, updatedAt },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(id)}</h1>
      <VentureForm key={id} basedOn={updatedAt} values={values} image={image} />
    </>
  );
}
