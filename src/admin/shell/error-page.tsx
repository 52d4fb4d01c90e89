import { useState, type ComponentProps, type ReactNode } from "react";
import { isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { ApiError } from "#site/api.ts";
import { messageOfAnswer } from "#site/document/error-message.ts";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import type { ErrorBody } from "#worker/platform/errors.ts";
import { loginPath } from "../auth/paths.ts";
import { tabs } from "./tabs.ts";

type Props = {
  error: unknown;
  /** The failed action, if the specification has a message for it. */
  failed?: string;
};

/** The error boundary of the admin area: what happened, and what to do next. */
export function ErrorPage({ error, failed }: Props) {
  if (error instanceof ApiError && error.status === 401) return <SessionEnded />;
  if (isRouteErrorResponse(error) && error.status === 404)
    return <PageNotFound list={<BackToTab />}>{messageOf(error)}</PageNotFound>;
  return (
    <FailedPage title={titleOf(error, failed)} action={<NextStep error={error} />}>
      {messageOf(error)}
    </FailedPage>
  );
}

/** An `ErrorBoundary` export; `failed` as above. */
export const errorPage = (failed?: string) =>
  function ErrorBoundary({ error }: { error: unknown }) {
    return <ErrorPage error={error} failed={failed} />;
  };

/** Replaces a page that does not exist. `list` links to its list. */
export const PageNotFound = ({ children, list }: { children: ReactNode; list?: ReactNode }) => (
  <FailedPage
    title="Page not found"
    action={
      <ButtonRow>
        <ButtonLink to="/" tone="primary">
          Return to Home
        </ButtonLink>
        {list}
      </ButtonRow>
    }
  >
    {children}
  </FailedPage>
);

/** Replaces a page, so it sets the title and the heading. */
const FailedPage = (notice: ComponentProps<typeof ErrorState>) => (
  <>
    <title>{`${notice.title} · Admin`}</title>
    <ErrorState heading="h1" {...notice} />
  </>
);

/** Trying again does not help a 403. */
function NextStep({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  if (status === 403) return <ButtonLink to="/admin">Go to a page you can open</ButtonLink>;
  return isAnswer(error) ? <TryAgain /> : <Reload />;
}

function SessionEnded() {
  const action = (
    <ButtonLink tone="primary" to={loginPath(useLocation(), true)}>
      Sign in and come back here
    </ButtonLink>
  );
  return <FailedPage title="Your session has ended" action={action} />;
}

function BackToTab() {
  const tab = useLocation().pathname.toLowerCase().split("/").slice(0, 3).join("/");
  const isTab = tabs.some(({ path }) => tab === `/admin/${path}`);
  return isTab && <ButtonLink to={tab}>Back to the list</ButtonLink>;
}

function TryAgain() {
  const { revalidate, state } = useRevalidator();
  return (
    <Button busy={state === "loading"} onClick={() => void revalidate()}>
      Try again
    </Button>
  );
}

/** Reloads the document: if a page's code failed to load, the router shows nothing. Offline this page stays. */
function Reload() {
  const [isBusy, setIsBusy] = useState(false);
  const reload = () => {
    setIsBusy(true);
    fetch(location.href, { method: "HEAD" }).then(
      () => location.reload(),
      () => setIsBusy(false),
    );
  };
  return (
    <Button busy={isBusy} onClick={reload}>
      Try again
    </Button>
  );
}

/** Whether the server answered; other errors come from the browser, for example offline. */
const isAnswer = (error: unknown) => error instanceof ApiError || isRouteErrorResponse(error);

const isOffline = (error: unknown) => !isAnswer(error) && navigator.onLine === false;

function titleOf(error: unknown, failed?: string) {
  if (isRouteErrorResponse(error) && error.status === 403) return "You don’t have access to this";
  return failed ?? (isOffline(error) ? "You are offline" : "That didn’t work");
}

/** The server's own message, except for an unexpected error. */
function messageOf(error: unknown) {
  if (error instanceof ApiError) return error.message;
  const message = messageOfAnswer(error) ?? messageOfEnvelope(error);
  if (message) return message;
  if (isOffline(error)) return "Check your connection and try again.";
  return "Something went wrong while loading this page. Your saved work is safe.";
}

/** Of the error envelope that answers a request before its loaders run, which React Router reads as text. */
function messageOfEnvelope(error: unknown) {
  if (!isRouteErrorResponse(error) || typeof error.data !== "string") return undefined;
  try {
    return (JSON.parse(error.data) as Partial<ErrorBody>).error?.message;
  } catch {
    return undefined;
  }
}
