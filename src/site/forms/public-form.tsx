import { createContext, use, type ComponentProps, type ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { CONFIRM_BY_MAIL } from "#worker/enquiries/limits.ts";
import type { SentForm } from "#worker/platform/http/sent-form.ts";
import { FormGuard } from "./guard.tsx";
import { RobotCheck } from "./robot-check.tsx";
import type { FieldErrors } from "./check.ts";
import { usePublicForm } from "./use-public-form.ts";

type PublicFormProps = {
  /** Its name, unique on a page. */
  name: string;
  /** The address that it is posted to, with and without scripts. */
  action: string;
  limits: Record<string, number>;
  sent: SentForm | null;
  answers: { success: string; failure: string };
  button: string;
  busy: string;
  /** The name under which the tab saves typed values; by default the form's. */
  draft?: string;
  /** Fields whose values stay after a success. */
  keeps?: string[];
  onSuccess?: (outcome: { isUnconfirmed: boolean }) => void;
  children: ReactNode;
} & Pick<ComponentProps<"form">, "id" | "className" | "aria-labelledby">;

type FieldState = { values: Record<string, string>; errors: FieldErrors; isBack: boolean };

const FieldContext = createContext<FieldState>({ values: {}, errors: {}, isBack: false });

/** A field's value and error in a form redisplayed by the server. */
export function useFieldState(name: string) {
  const { values, errors, isBack } = use(FieldContext);
  const autoFocus = isBack && Object.keys(errors)[0] === name;
  return { value: values[name], error: errors[name] || null, autoFocus };
}

/** A public form. Without scripts the server answers with this page (`publicForm`). */
export function PublicForm(props: PublicFormProps) {
  const { name, action, limits, answers, button, busy, draft, keeps, onSuccess, children } = props;
  const sent = [name, null, undefined].includes(props.sent?.form) ? props.sent : null;
  const { form, round, values, state, errors, failure, robots, isRestored, startAfresh, handlers } =
    usePublicForm({
      draft: draft ?? name,
      limits,
      keeps,
      sent,
      onSuccess,
    });
  const isSubmitting = state === "submitting";
  return (
    <form
      ref={form}
      id={props.id}
      method="post"
      action={action}
      aria-labelledby={props["aria-labelledby"]}
      className={cx("grid grid-cols-1 gap-5", props.className)}
      {...handlers}
    >
      <FormGuard form={name} shownAt={sent?.values["shownAt"]} />
      {isRestored && <Restored startAfresh={startAfresh} />}
      <FieldContext key={round} value={{ values, errors, isBack: sent !== null }}>
        {children}
      </FieldContext>
      {robots.isOn && <RobotCheck container={robots.container} hasFailed={robots.hasFailed} />}
      <div>
        <Button type="submit" tone="primary" size="lg" busy={isSubmitting} className="max-sm:w-full">
          {isSubmitting ? busy : button}
        </Button>
        <FormOutcome name={name} state={state} answers={answers} failure={failure} isBack={sent !== null} />
      </div>
    </form>
  );
}

const Restored = ({ startAfresh }: { startAfresh: () => void }) => (
  <p
    role="status"
    className="flex flex-wrap items-center gap-x-4 gap-y-1 border-l-2 border-accent pl-3 text-sm text-muted"
  >
    We restored what you typed before.
    <Button size="sm" onClick={startAfresh}>
      Start over
    </Button>
  </p>
);

const messageClass = "mt-3 text-sm font-medium";

/** Scrolls to the message: Enter may send a form whose end is out of view. */
const reveal = (message: HTMLElement | null) => message?.scrollIntoView({ block: "nearest" });

type OutcomeProps = {
  name: string;
  state: ReturnType<typeof usePublicForm>["state"];
  answers: PublicFormProps["answers"];
  failure: ReturnType<typeof usePublicForm>["failure"];
  isBack: boolean;
};

/**
 * A browser without scripts is redirected to the fragment of a message; see `Outcome` for forms without their own page.
 */
const FormOutcome = ({ name, state, answers, failure, isBack }: OutcomeProps) => (
  <>
    <div role="status">
      {state === "success" && <p className={`${messageClass} text-accent`}>{answers.success}</p>}
      {state === "unconfirmed" && <p className={`${messageClass} text-accent`}>{CONFIRM_BY_MAIL}</p>}
    </div>
    {/* Errors of fields are shown beside them, and the first such field has the focus. */}
    {failure && (
      <p
        ref={reveal}
        role="alert"
        className={`${messageClass} text-danger`}
        {...(isBack && { tabIndex: -1, autoFocus: true })}
      >
        {failure.message === null ? answers.failure : `${answers.failure} ${failure.message}`}
      </p>
    )}
    {state === "idle" && (
      <>
        <p id={`${name}-sent`} className={`${messageClass} hidden text-accent target:block`}>
          {answers.success}
        </p>
        <p id={`${name}-confirm`} className={`${messageClass} hidden text-accent target:block`}>
          {CONFIRM_BY_MAIL}
        </p>
      </>
    )}
  </>
);
