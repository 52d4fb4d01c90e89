import { useEffect, useRef, useState, type ComponentType, type FormEvent, type ReactNode } from "react";
import { Button, ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { Title } from "#site/ui/title.tsx";
import { useLayoutData } from "../use-layout.ts";

/** These pages show an address, and their own holds what allows to change something: nobody keeps them. */
export const personal = () => ({ "Cache-Control": "no-store" });

/** What the window is called each screen says itself. */
export const unlisted = () => [{ name: "robots", content: "noindex" }];

type LinkActionProps = {
  action: string;
  token: string;
  title: string;
  text: string;
  button: string;
  /** The heading while it works. */
  working: string;
  /** Said when the server could not be reached, or failed. */
  failure: string;
  done: ReactNode;
  /** For what the server refused, in its words. */
  Refused: ComponentType<{ message: string }>;
};

type State = { is: "ready" | "working" | "done" } | { is: "refused"; message: string } | { is: "failed" };

/** What a link of a mail asks for, done by the press of a button and not before. */
export function LinkAction({ action, token, done, Refused, ...page }: LinkActionProps) {
  const [state, setState] = useState<State>({ is: "ready" });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setState({ is: "working" });
    setState(await post(action, token));
  };
  if (state.is === "done") return <Said>{done}</Said>;
  if (state.is === "refused") {
    return (
      <Said>
        <Refused message={state.message} />
      </Said>
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

/** The button that was pressed is gone: the focus goes to the heading that says what came of it. */
function Said({ children }: { children: ReactNode }) {
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
  /** A form, or what else is to be done here. */
  children?: ReactNode;
  ways?: { to: string; label: string }[];
  isGood?: boolean;
};

/** It names the window too: pressing the button makes another screen of it, without a new page. */
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
