import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readReset } from "#worker/accounts/link-queries.ts";
import { ChoosePassword, choosePassword, type Texts } from "./choose-password.tsx";
import { RESET } from "./paths.ts";
import type { Route } from "./+types/reset-password";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readReset(context.get(siteContext), url.searchParams.get("token") ?? "");

export const clientAction = ({ request }: Route.ClientActionArgs) =>
  choosePassword(request, (json) => readJson(api["password-reset"].confirm.$post({ json })));

const texts: Texts = {
  title: "Reset Password",
  text: ({ email }) =>
    `Choose a new password for ${email}. This signs out every device that uses the account.`,
  submit: "Reset password",
  done: { title: "Password reset", text: "You can sign in with your new password now." },
  again: { label: "Request a new link", to: RESET },
};

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  return <ChoosePassword link={loaderData} answer={actionData} texts={texts} />;
}
