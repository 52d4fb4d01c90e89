import { useEffect, useRef, useState, type ComponentType, type FormEvent, type ReactNode } from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { Title } from "#site/ui/title.tsx";
import { useLayoutData } from "../use-layout.ts";

/** These pages show an address, and their URL holds a token: they are not cached. */
export const personal = () => ({ "Cache-Control": "no-store" });

/** Each screen sets its own title. */
export const unlisted = () => [{ name: "robots", content: "noindex" }];

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
  done: ReactNode;
  /** Shows the server's message when it refuses. */
  Refused: ComponentType<{ message: string }>;
};

type State = { is: "ready" | "working" | "done" } | { is: "refused"; message: string } | { is: "failed" };

/** The action of an email's link, behind a button. */
export function LinkAction({ action, token, done, Refused, ...page }: LinkActionProps) {
  const [state, setState] = useState<State>({ is: "ready" });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setState({ is: "working" });
    setState(await post(action, token));
  };
  if (state.is === "done") return <Result>{done}</Result>;
  if (state.is === "refused") {
    return (
      <Result>
        <Refused message={state.message} />
      </Result>
    );
  }
  const isWorking = state.is === "working";
  return (
    <Screen title={isWorking ? page.working : page.title} text={page.text}>
      <form method="post" action={action} onSubmit={(event) => void submit(event)}>
        <input type="hidden" name="form" value="link" />
        <input type="hidden" name="token" value={token} />
        <ButtonRow>
          <Button type="submit" tone="primary" size="lg" busy={isWorking}>
            {page.button}
          </Button>
        </ButtonRow>
        {state.is === "failed" && (
          <p role="alert" className="mt-3 text-sm font-medium text-danger">
            {page.failure}
          </p>
        )}
        {state.is === "ready" && (
          <p id="link-failed" className="mt-3 hidden text-sm font-medium text-danger target:block">
            {page.failure}
          </p>
        )}
      </form>
    </Screen>
  );
}

/** Moves the focus to the result's heading, because the pressed button is gone. */
function Result({ children }: { children: ReactNode }) {
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const heading = screen.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, []);
  return <div ref={screen}>{children}</div>;
}

async function post(action: string, token: string): Promise<State> {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(action, { method: "POST", headers, body: JSON.stringify({ token }) });
    if (response.ok) return { is: "done" };
    const body = (await response.json()) as { error: { message: string } };
    return response.status === 422 ? { is: "refused", message: body.error.message } : { is: "failed" };
  } catch (error) {
    console.error(error);
    return { is: "failed" };
  }
}

type ScreenProps = {
  title: string;
  text: string;
  /** A form, or another action. */
  children?: ReactNode;
  ways?: { to: string; label: string }[];
  isGood?: boolean;
};

/** Sets the window's title too, because the button changes the screen without a navigation. */
export function Screen({ title, text, children, ways = [], isGood = false }: ScreenProps) {
  const site = useLayoutData()?.site.name;
  return (
    <section className="page grid justify-items-start gap-6 py-16 lg:py-24">
      <title>{site ? `${title} | ${site}` : title}</title>
      <Title text={title} />
      <p
        className={cx(
          "max-w-xl font-reading text-lg",
          isGood ? "border-l-4 border-accent pl-4" : "text-muted",
        )}
      >
        {text}
      </p>
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
