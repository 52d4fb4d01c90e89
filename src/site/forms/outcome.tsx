const said = "mt-2 text-sm font-medium";

type OutcomeProps = {
  /** The form's name; no two of a page have the same. */
  form: string;
  state: "idle" | "submitting" | "success" | "error";
  success: string;
  error: string;
};

/**
 * What became of a form. A browser without scripts is sent to the fragment that shows the message: see `answerForms` in
 * worker/platform/forms.ts. That message goes as soon as the form is sent again.
 */
export const Outcome = ({ form, state, success, error }: OutcomeProps) => (
  <>
    <div role="status">
      {state === "success" && <p className={`${said} text-accent`}>{success}</p>}
      {state === "error" && <p className={`${said} text-danger`}>{error}</p>}
    </div>
    {state === "idle" && (
      <>
        <p id={`${form}-sent`} className={`${said} hidden text-accent target:block`}>
          {success}
        </p>
        <p id={`${form}-failed`} className={`${said} hidden text-danger target:block`}>
          {error}
        </p>
      </>
    )}
  </>
);
