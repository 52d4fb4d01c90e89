import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { Title } from "#site/ui/title.tsx";
import type { Route } from "./+types/not-found.ts";
import { respondNotFound } from "./loader.server.ts";
import NearestList from "./nearest-list.tsx";

/** Any path that no route knows. */
export const loader = ({ context, url }: Route.LoaderArgs) => respondNotFound(context.get(siteContext), url);

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function NotFound() {
  return (
    <section className="page grid justify-items-start gap-6 py-16 lg:py-24">
      <p className="kicker">404</p>
      <Title text="Page not found" />
      <p className="max-w-xl font-reading text-lg text-muted">
        Nothing is published at this address. It may have moved, or the link may be missing a letter.
      </p>
      <NearestList />
      <ButtonLink to="/" tone="primary">
        Return to Home
      </ButtonLink>
    </section>
  );
}
