import { redirect, useSearchParams } from "react-router";
import { Link } from "#site/ui/link.tsx";
import { answerOf, api } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { TextField } from "#site/ui/field.tsx";
import { LoginInput, type SetupState } from "#worker/accounts/contract.ts";
import { readSetupState } from "#worker/accounts/setup.ts";
import { titled } from "../titled.ts";
import { DoorForm, PasswordField, problemOf, problemsOf, Submit } from "./form.tsx";
import { safeNext } from "./next.ts";
import type { Route } from "./+types/login";

export const meta = titled("Login");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (ctx.actor.kind === "user") throw redirect(safeNext(url.searchParams.get("next")));
  return readSetupState(ctx);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const input = LoginInput.safeParse(Object.fromEntries(await request.formData()));
  if (!input.success) return problemOf(input.error);
  return problemsOf(async () => {
    await answerOf(api.session.$post({ json: input.data }));
    return redirect(safeNext(new URL(request.url).searchParams.get("next")));
  }, "An error occurred during login. Please try again.");
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  return (
    <>
      <h1 className="text-xl font-semibold">Admin Login</h1>
      <p className="mt-2 text-muted">Sign in to access the admin dashboard.</p>
      {params.has("ended") && !actionData && (
        <output className="mt-6 block border-l-4 border-signal pl-3 font-medium">
          Your session has ended. Please sign in again; you will return to where you were.
        </output>
      )}
      <NotSetUp setup={loaderData} />
      <DoorForm problem={actionData}>
        <TextField
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          error={actionData?.errors.email}
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          error={actionData?.errors.password}
        />
        <Submit>Sign in</Submit>
      </DoorForm>
    </>
  );
}

/** There is no default password: the owner chooses one. */
function NotSetUp({ setup }: { setup: SetupState }) {
  if (setup.state === "done") return null;
  return (
    <p className="mt-6 border-l-4 border-signal pl-3">
      {setup.state === "open"
        ? `No admin is set up yet. The admin address is ${setup.email}. `
        : `The setup for ${setup.email} waits for its link: open the one in the mail that was sent. `}
      <Link to="/admin/setup" className="link">
        {setup.state === "open" ? "Set up the admin area" : "Set up again"}
      </Link>
    </p>
  );
}
