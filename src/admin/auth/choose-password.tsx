import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { PasswordForm, type BrokenLink, type PasswordLink } from "#worker/accounts/contract.ts";
import { PasswordField, PasswordOwner } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { submit } from "../form/submit.ts";
import { ContinueToLogin } from "./continue-to-login.tsx";
import { NewPasswordField } from "./new-password.tsx";
import { LOGIN } from "./paths.ts";
import { Screen, signedOutWords } from "./screen.tsx";

type Ready = Extract<PasswordLink, { state: "ready" }>;

/** The texts of a screen on which a password is chosen, opened by the link in an email. */
export type Texts = {
  title: string;
  /** Whose password, and what follows. */
  text: (link: Ready) => string;
  submit: string;
  done: { title: string; text: string };
  /** Where to request a new link, if possible. */
  again?: { label: string; to: string };
};

type Confirm = (choice: {
  token: string;
  password: string;
}) => Promise<{ email: string; isSignedIn?: boolean }>;

type Done = { isDone: true; isSignedIn: boolean };

/** Opening the link changes nothing: mail scanners open every link. Only the form does. */
export async function choosePassword(request: Request, confirm: Confirm) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return submit(await request.formData(), {
    fields: { password: text, confirmPassword: text },
    schema: PasswordForm,
    words: signedOutWords("An error occurred. Please try again."),
    // The link may have been used or have expired since.
    reloadOn: "token",
    async send({ password }): Promise<Done> {
      const { isSignedIn = false } = await confirm({ token, password });
      return { isDone: true, isSignedIn };
    },
  });
}

type Props = { link: PasswordLink; answer?: object; texts: Texts };

const isDone = (answer: object | undefined): answer is Done => answer !== undefined && "isDone" in answer;

export function ChoosePassword({ link, answer, texts }: Props) {
  if (isDone(answer)) return <ContinueToLogin {...texts.done} isSignedIn={answer.isSignedIn} />;
  if (link.state !== "ready") return <Broken link={link} texts={texts} />;
  return <Choice link={link} texts={texts} />;
}

const Choice = ({ link, texts }: { link: Ready; texts: Texts }) => (
  <Screen title={texts.title} text={texts.text(link)}>
    <Form className="mt-6 grid gap-5">
      <PasswordOwner email={link.email} />
      <NewPasswordField name="password" label="New Password" />
      <PasswordField name="confirmPassword" label="Confirm Password" autoComplete="new-password" />
      <ButtonRow>
        <Submit>{texts.submit}</Submit>
        <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
      </ButtonRow>
    </Form>
  </Screen>
);

const titles = {
  missing: "Link incomplete",
  invalid: "Link not valid",
  expired: "Link expired",
  used: "Link already used",
};

const Broken = ({ link, texts }: { link: BrokenLink; texts: Texts }) => (
  <Screen title={titles[link.state]} text={link.message}>
    <ButtonRow className="mt-6">
      {texts.again && (
        <ButtonLink tone="primary" to={texts.again.to}>
          {texts.again.label}
        </ButtonLink>
      )}
      <ButtonLink tone={texts.again ? "quiet" : "primary"} to={LOGIN}>
        Back to Login
      </ButtonLink>
    </ButtonRow>
  </Screen>
);
