import { Suspense } from "react";
import { isRouteErrorResponse, useLocation, useRouteError } from "react-router";
import { messageOfAnswer } from "#site/document/error-message.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { lazyPart } from "./lazy-part.ts";
import { useDocumentTitle } from "./use-layout.ts";

/** Separate chunks, which only the 404 page loads. */
const NotFound = lazyPart(() => import("./not-found.tsx"));
const NearestList = lazyPart(() => import("./nearest-list.tsx"));

/** Shown in the page's place when its loader failed. */
export function PageError({ title }: { title: string }) {
  const text = useErrorText();
  const documentTitle = useDocumentTitle(title);
  if (useIsMissing()) {
    return (
      <Suspense>
        <MissingHead title="Page not found" />
        <NotFound />
      </Suspense>
    );
  }
  return (
    <div className="page py-12">
      <title>{documentTitle}</title>
      <ErrorState heading="h1" title={title} action={<TryAgain />}>
        {text}
      </ErrorState>
    </div>
  );
}

type MissingProps = { title: string; text: string; to: string; label: string };

/** Shown for a missing page; links to the existing ones. */
export const Missing = ({ title, text, to, label }: MissingProps) => (
  <section className="page grid gap-8 pb-8">
    <MissingHead title={title} />
    <PageHead title={title} standfirst={text} />
    <Suspense>
      <NearestList />
    </Suspense>
    <ButtonLink to={to} tone="primary" className="justify-self-start">
      {label}
    </ButtonLink>
  </section>
);

const MissingHead = ({ title }: { title: string }) => (
  <>
    <title>{useDocumentTitle(title)}</title>
    <meta name="robots" content="noindex" />
  </>
);

/** The message of one of our loaders; the details of other errors are not shown. */
export const useErrorText = () => messageOfAnswer(useRouteError()) ?? "An unexpected error occurred.";

export function useIsMissing() {
  const error = useRouteError();
  return isRouteErrorResponse(error) && error.status === 404;
}

/** A link that reloads the page; works without scripts. */
function TryAgain() {
  const { pathname, search } = useLocation();
  return (
    <ButtonLink to={pathname + search} tone="primary">
      Try Again
    </ButtonLink>
  );
}
