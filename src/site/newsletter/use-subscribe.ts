import { useEffect, useRef, useState, type FormEvent } from "react";
import { useSend } from "../forms/send.ts";
import { browserStorage, keepSubscribed } from "./kept.ts";

/** Milliseconds that a success is shown. */
const SUCCESS_SHOWN = 5000;

type State = "idle" | "submitting" | "success" | "error";

/** A sign-up form: what state it is in, and what to do when it is sent. What was typed stays unless it was taken. */
export function useSubscribe(settled: (taken: boolean) => void = () => {}) {
  const [state, setState] = useState<State>("idle");
  const send = useSend();
  const focused = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (state !== "success") return;
    const timer = setTimeout(() => setState("idle"), SUCCESS_SHOWN);
    return () => clearTimeout(timer);
  }, [state]);

  // A control that was disabled in between has lost the focus.
  useEffect(() => {
    if (state !== "submitting" && document.activeElement === document.body) focused.current?.focus();
    if (state !== "submitting") focused.current = null;
  }, [state]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (state === "submitting") return;
    focused.current = document.activeElement as HTMLElement | null;
    const sending = send(form);
    setState("submitting");
    const taken = await sending;
    if (taken) {
      form.reset();
      const storage = browserStorage();
      if (storage) keepSubscribed(storage);
    }
    setState(taken ? "success" : "error");
    settled(taken);
  };
  return { state, submit };
}
