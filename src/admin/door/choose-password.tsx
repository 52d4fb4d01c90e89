import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { PasswordForm, type BrokenLink, type PasswordLink } from "#worker/accounts/contract.ts";
import {
  DoorForm,
  PasswordField,
  PasswordOwner,
  problemOf,
  problemsOf,
  refusedByLink,
  Submit,
  type Problem,
} from "./form.tsx";
import { LoginFollows } from "./login-follows.tsx";
import { NewPasswordField } from "./new-password.tsx";
import { LOGIN } from "./next.ts";
import { Screen } from "./screen.tsx";

type Ready = Extract<PasswordLink, { state: "ready" }>;

/** What a screen calls things that chooses a password by the link in a mail. */
export type Words = {
  title: string;
  /** Whose password, and what follows. */
  text: (link: Ready) => string;
  submit: string;
  done: { title: string; text: string };
  /** Where a new link comes from, if one can be asked for. */
  again?: { label: string; to: string };
};

type Result = Problem | { isDone: true };

type Confirm = (choice: { token: string; password: string }) => Promise<unknown>;

/** Only this, a press of the button, changes anything: scanners open every link in a mail. */
export async function choosePassword(request: Request, confirm: Confirm) {
  const form = PasswordForm.safeParse(Object.fromEntries(await request.formData()));
  if (!form.success) return refusedByLink(FIELDS, problemOf(form.error));
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const answer = await problemsOf(async () => {
    await confirm({ token, password: form.data.password });
    return { isDone: true } as const;
  }, "An error occurred. Please try again.");
  return "errors" in answer ? refusedByLink(FIELDS, answer) : answer;
}

const FIELDS = ["password", "confirmPassword"];

type Props = { link: PasswordLink; result?: Result; words: Words };

export function ChoosePassword({ link, result, words }: Props) {
  if (result && "isDone" in result) return <LoginFollows {...words.done} />;
  // The link may have been used or have expired meanwhile: it is read again when it was refused.
  if (link.state !== "ready") return <Refused link={link} words={words} />;
  return <Choice link={link} problem={result} words={words} />;
}

function Choice({ link, problem, words }: { link: Ready; problem?: Problem; words: Words }) {
  const { errors = {} } = problem ?? {};
  return (
    <Screen title={words.title} text={words.text(link)}>
      <DoorForm problem={problem}>
        <PasswordOwner email={link.email} />
        <NewPasswordField name="password" label="New Password" error={errors["password"]} />
        <PasswordField
          name="confirmPassword"
          label="Confirm Password"
          autoComplete="new-password"
          error={errors["confirmPassword"]}
        />
        <ButtonRow>
          <Submit>{words.submit}</Submit>
          <ButtonLink to={LOGIN}>Back to Login</ButtonLink>
        </ButtonRow>
      </DoorForm>
    </Screen>
  );
}

const titles = {
  missing: "Link incomplete",
  invalid: "Link not valid",
  expired: "Link expired",
  used: "Link already used",
};

const Refused = ({ link, words }: { link: BrokenLink; words: Words }) => (
  <Screen title={titles[link.state]} text={link.message}>
    <ButtonRow className="mt-6">
      {words.again && (
        <ButtonLink tone="primary" to={words.again.to}>
          {words.again.label}
        </ButtonLink>
      )}
      <ButtonLink tone={words.again ? "quiet" : "primary"} to={LOGIN}>
        Back to Login
      </ButtonLink>
    </ButtonRow>
  </Screen>
);
