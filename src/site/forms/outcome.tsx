const messageClass = "mt-2 text-sm font-medium";

type OutcomeProps = {
  /** The form's name, unique on a page. */
  form: string;
  state: "idle" | "submitting" | "success" | "error";
  success: string;
  error: string;
};

/**
 * The result of a form. A browser without scripts is redirected to the fragment of a message: see `answerForms` in
 * worker/platform/forms.ts. The message disappears when the form is sent again.
 */
export const Outcome = ({ form, state, success, error }: OutcomeProps) => (
  <>
    <div role="status">
      {state === "success" && <p className={`${messageClass} text-accent`}>{success}</p>}
      {state === "error" && <p className={`${messageClass} text-danger`}>{error}</p>}
    </div>
    {state === "idle" && (
      <>
        <p id={`${form}-sent`} className={`${messageClass} hidden text-accent target:block`}>
          {success}
        </p>
        <p id={`${form}-failed`} className={`${messageClass} hidden text-danger target:block`}>
          {error}
        </p>
      </>
    )}
  </>
);
