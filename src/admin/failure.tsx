import { isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { Refusal } from "#site/api.ts";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import { loginPath } from "./door/next.ts";
import { tabs } from "./tabs.ts";

/** What happened in a tab, and the way on. */
export function Failure({ error }: { error: unknown }) {
  if (error instanceof Refusal && error.status === 401) return <SessionEnded />;
  return (
    <ErrorState title={titleOf(error)} action={isGone(error) ? <BackToTab /> : <TryAgain />}>
      {wordsOf(error)}
    </ErrorState>
  );
}

function SessionEnded() {
  const action = (
    <ButtonLink tone="primary" to={loginPath(useLocation(), true)}>
      Sign in and come back here
    </ButtonLink>
  );
  return <ErrorState title="Your session has ended" action={action} />;
}

const isGone = (error: unknown) => isRouteErrorResponse(error) && error.status === 404;

/** What is not there will not come by trying again. */
function BackToTab() {
  const tab = useLocation().pathname.split("/").slice(0, 3).join("/");
  const open = tabs.some(({ path }) => tab === `/admin/${path}`) ? tab : "/admin";
  return <ButtonLink to={open}>Back to the list</ButtonLink>;
}

function TryAgain() {
  const { revalidate, state } = useRevalidator();
  return (
    <Button busy={state === "loading"} onClick={() => void revalidate()}>
      Try again
    </Button>
  );
}

function titleOf(error: unknown) {
  if (!isRouteErrorResponse(error)) return "That did not work";
  if (error.status === 404) return "There is nothing at this address";
  return error.status === 403 ? "This is not open to you" : "That did not work";
}

/** The server's own words where it refused; those of an unexpected error help nobody. */
function wordsOf(error: unknown) {
  if (error instanceof Refusal) return error.message;
  if (isRouteErrorResponse(error) && typeof error.data === "string" && error.status < 500) return error.data;
  return "Something went wrong while this page was put together. What was saved before is safe.";
}
