import { data } from "react-router";
import { siteContext } from "#site/context.ts";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import { sentFormOf } from "#worker/platform/http/sent-form.ts";
import type { Site } from "#worker/settings/contract.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { NewsletterBlock } from "../newsletter/block.tsx";
import { PageError } from "../page-error.tsx";
import { OrWriteTo } from "../write-to.tsx";
import { GuestForm } from "./form.tsx";
import { SocialLogin } from "./social-login.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "guest")]);
  if (!site.features.guestSubmissions) throw data({ message: "Applications are closed." }, { status: 404 });
  return {
    contactEmail: site.contactEmail,
    sent: sentFormOf(ctx),
    facts: factsOf(site.figures),
    reviewedWithin: site.figures.reviewedWithin,
    showTitle: show?.title ?? site.name,
    page,
    meta: describePage(ctx, site, {
      title: "Be a Guest",
      description: page.standfirst,
      path: "/guest",
      image: show?.artwork?.src,
    }),
  };
}

/** The owner's figures, without empty ones. */
const factsOf = ({ conversationLength, listeners, reviewedWithin }: Site["figures"]) =>
  [
    { figure: conversationLength, says: "unscripted conversation" },
    { figure: listeners, says: "listeners" },
    { figure: reviewedWithin && `Within ${reviewedWithin}`, says: "applications reviewed" },
  ].filter(({ figure }) => figure);

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Guest({ loaderData }: Route.ComponentProps) {
  const { page, facts, showTitle } = loaderData;
  return (
    <article className="page pb-8">
      <PageHead
        title={page.headline}
        byline={showTitle}
        standfirst={page.standfirst}
        aside={facts.length > 0 && <Facts facts={facts} />}
      >
        <a href="#apply" className={cx(buttonClass({ tone: "signal", size: "lg" }), "mt-2")}>
          Apply now
        </a>
      </PageHead>
      <Steps title={page.stepsTitle} steps={page.steps} />
      <Apply {...loaderData} />
      <NewsletterBlock variant="podcast" className="mt-14" />
    </article>
  );
}

const Facts = ({ facts }: { facts: ReturnType<typeof factsOf> }) => (
  <ul className="grid border-t-2 border-signal">
    {facts.map(({ figure, says }) => (
      <li
        key={says}
        className="border-b border-rule py-4 last:border-b-0 sm:max-lg:flex sm:max-lg:items-baseline sm:max-lg:gap-4"
      >
        <span className="headline block text-2xl">{figure}</span> <span className="text-muted">{says}</span>
      </li>
    ))}
  </ul>
);

type StepsProps = { title: string } & Pick<PageContent<"guest">, "steps">;

function Steps({ title: heading, steps }: StepsProps) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="steps" className="border-t border-ink pt-5 pb-16">
      <h2 id="steps" className="text-base font-semibold">
        {heading}
      </h2>
      <ol className="mt-6 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text }, position) => (
          <li key={title} className="grid grid-cols-[2.5rem_1fr] content-start gap-y-1 sm:grid-cols-1">
            <span aria-hidden className="headline text-2xl text-signal">
              {position + 1}
            </span>
            <h3 className="headline text-xl">{title}</h3>
            <p className="col-start-2 text-muted sm:col-start-1">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

type ApplyProps = Pick<
  Route.ComponentProps["loaderData"],
  "page" | "contactEmail" | "sent" | "reviewedWithin"
>;

const Apply = ({ page, contactEmail, sent, reviewedWithin }: ApplyProps) => (
  <section
    id="apply"
    aria-labelledby="apply-heading"
    className="grid gap-x-10 gap-y-10 border-t border-ink pt-6 lg:grid-cols-12"
  >
    <div className="grid content-start gap-6 lg:col-span-7">
      <h2 id="apply-heading" className="headline text-2xl">
        Apply to be a guest
      </h2>
      {reviewedWithin && (
        <p className="max-w-[36rem] font-reading text-lg">{`Applications are reviewed within ${reviewedWithin}.`}</p>
      )}
      <GuestForm sent={sent} />
      <SocialLogin />
      <OrWriteTo
        contactEmail={contactEmail}
        subject="Guest application"
        prompts={["Name", "LinkedIn profile", "Topic", "My position, in 2–3 points"]}
      />
    </div>
    {page.body.html && (
      <aside aria-labelledby="wanted" className="lg:col-span-4 lg:col-start-9">
        <h2 id="wanted" className="mb-3 text-base font-semibold">
          {page.bodyTitle}
        </h2>
        <RichText html={page.body.html} />
      </aside>
    )}
  </section>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
