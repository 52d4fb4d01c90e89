import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type FormEvent,
  type ReactNode,
} from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { PageHead } from "#site/ui/title.tsx";
import type { ErrorBody } from "#worker/platform/errors.ts";
import { postJson } from "../forms/post-json.ts";
import { useDocumentTitle } from "../use-layout.ts";
import { choiceIn } from "./topic-choice.tsx";

/** These pages show an email address, and their URL contains a token: they are not cached. */
export const personal = () => ({ "Cache-Control": "no-store" });

/** Each screen sets its own title. */
export const unlisted = () => [{ name: "robots", content: "noindex" }];

export const home = { to: "/", label: "Return to Home" };

export const FAILURE = "That didn’t work. Please try again.";

type LinkActionProps = {
  action: string;
  token: string;
  title: string;
  text: string;
  button: string;
  /** Heading while the request runs. */
  working: string;
  /** Shown when the server fails or is unreachable. */
  failure: string;
  /** Further fields of the form. */
  fields?: ReactNode;
  done: ReactNode;
  /** Shows the server's message when it refuses. */
  Refused: ComponentType<{ message: string }>;
};

/** The action of an email's link, behind a button. */
export function LinkAction({ action, token, done, fields, Refused, ...page }: LinkActionProps) {
  const link = useLinkForm(action, token);
  const result = resultOf(link, done, Refused);
  if (result) return <Result>{result}</Result>;
  return (
    <Screen title={link.isWorking ? page.working : page.title} text={page.text}>
      <LinkForm link={link} name="link" button={page.button} failure={page.failure}>
        {fields}
      </LinkForm>
    </Screen>
  );
}

type State =
  | { is: "ready" | "working" | "failed" }
  /** With the server's answer. */
  | { is: "done"; answer: unknown }
  | { is: "refused"; message: string };

/** The state and handler of a form that sends the token of an email's link, and a choice of topics if it has one. */
export function useLinkForm(action: string, token: string, others: object = {}) {
  const [state, setState] = useState<State>({ is: "ready" });
  const isWorking = state.is === "working";
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isWorking) return;
    const fields = choiceIn(new FormData(event.currentTarget));
    setState({ is: "working" });
    setState(await post(action, { token, ...others, ...fields }));
  };
  return { action, token, state, isWorking, submit };
}

export type Link = ReturnType<typeof useLinkForm>;

type LinkFormProps = {
  link: Link;
  /** The form's name on the page, for the redirect of a browser without scripts. */
  name: string;
  button: string;
  tone?: ComponentProps<typeof Button>["tone"];
  failure: string;
  /** Further fields. */
  children?: ReactNode;
};

export const LinkForm = ({ link, name, button, tone = "primary", failure, children }: LinkFormProps) => (
  <form
    method="post"
    action={link.action}
    onSubmit={(event) => void link.submit(event)}
    className="grid gap-5"
  >
    <input type="hidden" name="form" value={name} />
    <input type="hidden" name="token" value={link.token} />
    {children}
    <ButtonRow>
      <Button type="submit" tone={tone} size={tone === "primary" ? "lg" : "md"} busy={link.isWorking}>
        {button}
      </Button>
    </ButtonRow>
    {link.state.is === "failed" && (
      <p role="alert" className="mt-3 text-sm font-medium text-danger">
        {failure}
      </p>
    )}
    {link.state.is === "ready" && (
      <p id={`${name}-failed`} className="mt-3 hidden text-sm font-medium text-danger target:block">
        {failure}
      </p>
    )}
  </form>
);

type DeletionProps = { link: Link; title: string; button: string; children: ReactNode };

/** Behind a disclosure, since it cannot be undone. */
export const Deletion = ({ link, title, button, children }: DeletionProps) => (
  <details className="w-full max-w-xl border-t border-rule pt-6">
    <summary className="cursor-pointer font-medium">{title}</summary>
    <div className="mt-3 grid gap-3 text-muted">
      {children}
      <LinkForm link={link} name="delete" button={button} tone="danger" failure={FAILURE} />
    </div>
  </details>
);

/** What replaces the page once a form was answered; false before that. */
export function resultOf({ state }: Link, done: ReactNode, Refused: ComponentType<{ message: string }>) {
  if (state.is === "done") return done;
  return state.is === "refused" && <Refused message={state.message} />;
}

/** Moves the focus to the result's heading, because the pressed button is gone. */
export function Result({ children }: { children: ReactNode }) {
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const heading = screen.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, []);
  return <div ref={screen}>{children}</div>;
}

async function post(action: string, fields: object): Promise<State> {
  try {
    const { ok, status, answer } = await postJson(action, fields);
    if (ok) return { is: "done", answer };
    if (status !== 422) return { is: "failed" };
    return { is: "refused", message: (answer as ErrorBody).error.message };
  } catch (error) {
    console.error(error);
    return { is: "failed" };
  }
}

type ScreenProps = {
  title: string;
  text: ReactNode;
  /** A form, or another action. */
  children?: ReactNode;
  ways?: { to: string; label: string }[];
  isGood?: boolean;
};

/** Sets the window's title too, because the button changes the screen without a navigation. */
export function Screen({ title, text, children, ways = [], isGood = false }: ScreenProps) {
  return (
    <section className="page grid grid-cols-1 justify-items-start gap-8 pb-8">
      <title>{useDocumentTitle(title)}</title>
      <PageHead title={title} standfirst={!isGood && text} />
      {isGood && <p className="max-w-xl border-l-4 border-accent pl-4 font-reading text-lg">{text}</p>}
      {children}
      {ways.length > 0 && (
        <ButtonRow>
          {ways.map(({ to, label }, position) => (
            <ButtonLink key={to} to={to} tone={position === 0 && !children ? "primary" : "quiet"}>
              {label}
            </ButtonLink>
          ))}
        </ButtonRow>
      )}
    </section>
  );
}
