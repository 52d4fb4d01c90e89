import { siteContext } from "#site/context.ts";
import type { Context } from "#worker/platform/context.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { pressDefaults } from "#worker/press/contract.ts";
import { readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { readSite } from "#worker/settings/queries.ts";
import { NEW } from "../form/new-item.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PressForm } from "./press-form.tsx";
import { pressActions, updatedWords } from "./save.ts";
import type { Route } from "./+types/press-item";

const titleOf = (id: string) => (id === NEW ? "New media item" : "Edit media item");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) return load(readPressItemForEdit(ctx, Number(id)));
  return load(readNewItem(ctx));
}

/** With today's date in the site's time zone. */
async function readNewItem(ctx: Context) {
  const { timeZone } = await readSite(ctx);
  const values = { title: "", summary: "", date: dayIn(timeZone, ctx.now), ...pressDefaults };
  return { id: undefined, updatedAt: undefined, values };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (id === NEW) return pressActions.create(form);
  return pressActions.update(form, id, { done: ({ published }) => updatedWords(form, published) });
}

export default function PressItemPage({
  loaderData: { id, updatedAt, values },
  params,
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(params.id)}</h1>
      <PressForm key={params.id} id={id} basedOn={updatedAt} values={values} />
    </>
  );
}
