import { useEffect, useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useSend } from "../forms/send.ts";

/** Imports the storage on demand, because few visitors sign up. */
async function saveSubscribedState() {
  const { browserStorage, saveSubscribed } = await import("./newsletter-storage.ts");
  const storage = browserStorage();
  if (storage) saveSubscribed(storage);
}

const loadCheck = lazyImport(() => import("../forms/check.ts"));

/** The error of an address. If the code for it does not load, the server checks instead. */
const findError = (address: HTMLInputElement) =>
  loadCheck().then(
    ({ errorOf }) => errorOf(address),
    () => null,
  );

/** Milliseconds for which a success is shown. */
const SUCCESS_SHOWN = 5000;

type State = "idle" | "submitting" | "success" | "error";

/**
 * State of a sign-up form, the error of its address, and its handlers. `onResult` gets every other result. Input stays
 * unless the sign-up succeeded. An empty address does nothing.
 */
export function useSubscribe(onResult: (ok: boolean) => void = () => {}) {
  const [state, setState] = useState<State>("idle");
  const [emailError, setEmailError] = useState<string | null>(null);
  const send = useSend();
  const focused = useRef<HTMLElement | null>(null);
  const isBusy = useRef(false);

  useEffect(() => {
    if (state !== "success") return;
    const timer = setTimeout(() => setState("idle"), SUCCESS_SHOWN);
    return () => clearTimeout(timer);
  }, [state]);

  // A control loses the focus while it is disabled. A field with an error gets it, so that a screen reader announces
  // it.
  useEffect(() => {
    if (state === "submitting") return;
    if (emailError !== null || document.activeElement === document.body) focused.current?.focus();
    focused.current = null;
  }, [state, emailError]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy.current) return;
    const address = form.querySelector<HTMLInputElement>("[name=email]")!;
    if (address.value.trim() === "") return;
    isBusy.current = true;
    const wrong = await findError(address);
    if (wrong) {
      isBusy.current = false;
      // Rendered first, so that a screen reader announces it with the field.
      flushSync(() => setEmailError(wrong));
      address.focus();
      return;
    }
    focused.current = document.activeElement as HTMLElement | null;
    const sending = send(form);
    setState("submitting");
    setEmailError(null);
    const { ok, errors } = await sending;
    isBusy.current = false;
    const refused = errors?.["email"];
    if (refused) {
      focused.current = address;
      setEmailError(refused);
    }
    if (ok) {
      form.reset();
      saveSubscribedState().catch(console.error);
    }
    setState(ok ? "success" : refused ? "idle" : "error");
    if (!refused) onResult(ok);
  };
  return {
    state,
    emailError,
    handlers: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
      onInput: () => setEmailError(null),
    },
  };
}
