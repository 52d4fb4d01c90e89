import { isRouteErrorResponse, useLocation, useRouteError } from "react-router";
import { ButtonLink } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import NotFound from "./not-found.tsx";

/** Shown in the page's place when its loader failed. */
export function PageError({ title }: { title: string }) {
  const text = useErrorText();
  if (useIsMissing()) {
    return (
      <>
        <title>Page not found</title>
        <meta name="robots" content="noindex" />
        <NotFound />
      </>
    );
  }
  return (
    <div className="page py-12">
      <title>{title}</title>
      <ErrorState heading="h1" title={title} action={<TryAgain />}>
        {text}
      </ErrorState>
    </div>
  );
}

/** The server's message for a 4xx; the details of other errors are not shown. */
export function useErrorText() {
  const error = useRouteError();
  const isRefusal = isRouteErrorResponse(error) && error.status < 500 && typeof error.data === "string";
  return isRefusal ? error.data : "An unexpected error occurred.";
}

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
