import { siteContext } from "#site/context.ts";
import { readNewVenture } from "#worker/ventures/owner-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { ventureActions } from "./save.ts";
import { VentureForm } from "./venture-form.tsx";
import type { Route } from "./+types/new";

export const meta = pageTitle("Add venture");

export const loader = ({ context }: Route.LoaderArgs) => load(readNewVenture(context.get(siteContext)));

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  ventureActions.create(await request.formData());

export default function NewVenture({ loaderData: values }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Add venture</h1>
      <VentureForm values={values} image={null} />
    </>
  );
}
