import { siteContext } from "#site/context.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { pressDefaults } from "#worker/press/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { PressForm } from "./press-form.tsx";
import { pressActions } from "./save.ts";
import type { Route } from "./+types/new";

export const meta = pageTitle("New media item");

/** Today's date in the site's time zone. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { timeZone } = await load(readSite(ctx));
  return { today: dayIn(timeZone, ctx.now) };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  pressActions.create(await request.formData());

export default function NewPressItem({ loaderData: { today } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New media item</h1>
      <PressForm values={{ title: "", summary: "", date: today, ...pressDefaults }} />
    </>
  );
}
