import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { PageHead } from "#site/ui/title.tsx";
import type { Route } from "./+types/not-found.ts";
import { respondNotFound } from "./loader.server.ts";
import NearestList from "./nearest-list.tsx";

/** Any path without a route. */
export const loader = ({ context, url }: Route.LoaderArgs) => respondNotFound(context.get(siteContext), url);

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function NotFound() {
  return (
    <section className="page grid gap-8 pb-8">
      <PageHead
        title="Page not found"
        byline="404"
        standfirst="Nothing is published at this address. It may have moved, or the link may be missing a letter."
      />
      <NearestList />
      <ButtonLink to="/" tone="primary" className="justify-self-start">
        Return to Home
      </ButtonLink>
    </section>
  );
}
