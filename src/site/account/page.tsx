import { data } from "react-router";
import { siteContext } from "#site/context.ts";
import { UNPROMPTED } from "#site/document/deferred-hydration.ts";
import { Button } from "#site/ui/button.tsx";
import { ErrorState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { Account } from "./account.tsx";
import { Join } from "./join.tsx";
import { SignIn } from "./sign-in-form.tsx";
import { useAccount } from "./use-account.ts";

/** The same for every visitor: the account arrives in a request of its own. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { site } = await readSiteAndShow(ctx);
  if (!site.members.signIn) throw data({ message: "There are no accounts here." }, { status: 404 });
  const description = `Sign in to your membership of ${site.name}.`;
  return { meta: describePage(ctx, site, { title: "Account", path: "/account", description }) };
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  ...(loaderData?.meta ?? []),
  { name: "robots", content: "noindex" },
];

export default function AccountPage() {
  const { state, read, ...actions } = useAccount();
  return (
    <div {...{ [UNPROMPTED]: "" }} className="page pb-8">
      <PageHead title="Account" standfirst={state.is === "in" && state.account.email} />
      <noscript>
        <p className="py-8">Your account is shown by a script. Switch JavaScript on to sign in.</p>
      </noscript>
      {state.is === "loading" && (
        <p role="status" className="py-8 text-muted">
          Loading your account
        </p>
      )}
      {state.is === "failed" && (
        <ErrorState
          title="Your account could not be loaded."
          action={<Button onClick={() => void read()}>Try again</Button>}
        >
          Check your connection, then try again.
        </ErrorState>
      )}
      {state.is === "out" && (
        <>
          <SignIn message={state.message} onSignedIn={read} />
          {state.offers.length > 0 && (
            <Join
              offers={state.offers}
              join={actions.join}
              note="If you are a member already, sign in first."
            />
          )}
        </>
      )}
      {state.is === "in" && <Account account={state.account} offers={state.offers} {...actions} />}
    </div>
  );
}

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
