import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readInvitation } from "#worker/accounts/link-queries.ts";
import { ChoosePassword, choosePassword, type Texts } from "./choose-password.tsx";
import type { Route } from "./+types/invitation";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  readInvitation(context.get(siteContext), url.searchParams.get("token") ?? "");

export const clientAction = ({ request }: Route.ClientActionArgs) =>
  choosePassword(request, (json) => readJson(api.invitation.confirm.$post({ json })));

const texts: Texts = {
  title: "Choose your password",
  text: ({ email, fullName }) => `Welcome, ${fullName}. You will sign in as ${email} with this password.`,
  submit: "Save password",
  done: { title: "Password saved", text: "Your account is ready." },
};

export default function Invitation({ loaderData, actionData }: Route.ComponentProps) {
  return <ChoosePassword link={loaderData} answer={actionData} texts={texts} />;
}
