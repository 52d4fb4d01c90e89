import { useEffect, useRef, useState, type FormEvent } from "react";
import { useSend } from "../forms/send.ts";

/** Fetched by then: few visitors sign up, and all would load it. */
async function keepTaken() {
  const { browserStorage, keepSubscribed } = await import("./kept.ts");
  const storage = browserStorage();
  if (storage) keepSubscribed(storage);
}

/** Milliseconds that a success is shown. */
const SUCCESS_SHOWN = 5000;

type State = "idle" | "submitting" | "success" | "error";

/**
 * A sign-up form: what state it is in, what is wrong with the address, and what to do when it is sent. `settled` is told
 * of everything else that became of it. What was typed stays unless it was taken.
 */
export function useSubscribe(settled: (taken: boolean) => void = () => {}) {
  const [state, setState] = useState<State>("idle");
  const [emailFault, setEmailFault] = useState<string | null>(null);
  const send = useSend();
  const focused = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (state !== "success") return;
    const timer = setTimeout(() => setState("idle"), SUCCESS_SHOWN);
    return () => clearTimeout(timer);
  }, [state]);

  // A control that was disabled in between has lost the focus; a field with a fault gets it, and so is read out.
  useEffect(() => {
    if (state === "submitting") return;
    if (emailFault !== null || document.activeElement === document.body) focused.current?.focus();
    focused.current = null;
  }, [state, emailFault]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (state === "submitting") return;
    focused.current = document.activeElement as HTMLElement | null;
    const sending = send(form);
    setState("submitting");
    setEmailFault(null);
    const { taken, fault } = await sending;
    if (fault?.field === "email") {
      focused.current = form.querySelector<HTMLElement>("[name=email]");
      setEmailFault(fault.message);
    }
    if (taken) {
      form.reset();
      keepTaken().catch(console.error);
    }
    setState(taken ? "success" : "error");
    if (fault?.field !== "email") settled(taken);
  };
  return { state, emailFault, submit };
}
