import { useEffect, useRef, useState, type FormEvent } from "react";
import { useSend } from "../forms/send.ts";

/** Imports the storage on demand, because few visitors sign up. */
async function saveSubscribedState() {
  const { browserStorage, saveSubscribed } = await import("./newsletter-storage.ts");
  const storage = browserStorage();
  if (storage) saveSubscribed(storage);
}

/** Milliseconds that a success is shown. */
const SUCCESS_SHOWN = 5000;

type State = "idle" | "submitting" | "success" | "error";

/**
 * State of a sign-up form, the error of its address, and its submit handler. `onResult` gets every other result. Input
 * stays unless the sign-up succeeded.
 */
export function useSubscribe(onResult: (ok: boolean) => void = () => {}) {
  const [state, setState] = useState<State>("idle");
  const [emailError, setEmailError] = useState<string | null>(null);
  const send = useSend();
  const focused = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (state !== "success") return;
    const timer = setTimeout(() => setState("idle"), SUCCESS_SHOWN);
    return () => clearTimeout(timer);
  }, [state]);

  // A control loses the focus while it is disabled. A field with an error gets it, so that it is read out.
  useEffect(() => {
    if (state === "submitting") return;
    if (emailError !== null || document.activeElement === document.body) focused.current?.focus();
    focused.current = null;
  }, [state, emailError]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (state === "submitting") return;
    focused.current = document.activeElement as HTMLElement | null;
    const sending = send(form);
    setState("submitting");
    setEmailError(null);
    const { ok, error } = await sending;
    if (error?.field === "email") {
      focused.current = form.querySelector<HTMLElement>("[name=email]");
      setEmailError(error.message);
    }
    if (ok) {
      form.reset();
      saveSubscribedState().catch(console.error);
    }
    setState(ok ? "success" : "error");
    if (error?.field !== "email") onResult(ok);
  };
  return { state, emailError, submit };
}
