import { data } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { localeOf } from "#site/ui/locale.ts";
import { logWarning } from "#worker/platform/log.ts";
import { readSite } from "#worker/settings/queries.ts";
import { PageNotFound } from "./error-page.tsx";
import { shellDataOf } from "./guard.ts";
import { Shell } from "./shell.tsx";
import "../admin.css";
import type { Route } from "./+types/not-found";

/** An unknown address below /admin. Outside the guarded layout: the same for signed-out users. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  logWarning(`404: ${url.pathname}`, undefined, { status: 404 });
  return data({ ...shellDataOf(ctx), locale: localeOf(await readSite(ctx)) }, { status: 404 });
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
  return (
    <Shell {...loaderData}>
      <PageNotFound list={<ButtonLink to="/admin">Admin area</ButtonLink>}>
        There’s nothing at this address. Check it for a missing or extra letter.
      </PageNotFound>
    </Shell>
  );
}
