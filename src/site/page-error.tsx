import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { Button } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import NotFound from "./not-found.tsx";

/** What a page shows in its own place when its loader failed. */
export function PageError({ title }: { title: string }) {
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
        An unexpected error occurred.
      </ErrorState>
    </div>
  );
}

export function useIsMissing() {
  const error = useRouteError();
  return isRouteErrorResponse(error) && error.status === 404;
}

function TryAgain() {
  const { revalidate, state } = useRevalidator();
  return (
    <Button tone="primary" busy={state === "loading"} onClick={() => void revalidate()}>
      Try Again
    </Button>
  );
}
