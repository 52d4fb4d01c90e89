import { redirect } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readNewVenture } from "#worker/ventures/owner-queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { toast } from "../shell/toast.tsx";
import { saveVenture } from "./save.ts";
import { VentureForm } from "./venture-form.tsx";
import type { Route } from "./+types/new";

export const meta = pageTitle("Add venture");

export const loader = ({ context }: Route.LoaderArgs) => load(readNewVenture(context.get(siteContext)));

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  saveVenture(await request.formData(), async (json) => {
    await ensureOk(api.ventures.$post({ json }));
    toast.success("Venture created successfully");
    return redirect("/admin/ventures");
  });

export default function NewVenture({ loaderData: values }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Add venture</h1>
      <VentureForm values={values} image={null} />
    </>
  );
}
