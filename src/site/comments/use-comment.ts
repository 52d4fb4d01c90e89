import { useEffect, useRef, useState, type FormEvent } from "react";
import type { SubmitResult } from "../forms/post.ts";
import { useSend } from "../forms/send.ts";

type State = "idle" | "submitting" | "success" | "error";

/** State of the form, the error beside one of its fields, and its submit handler. What was typed stays until it is sent. */
export function useComment() {
  const [state, setState] = useState<State>("idle");
  const [error, setError] = useState<SubmitResult["error"] | null>(null);
  const send = useSend();
  const form = useRef<HTMLFormElement | null>(null);

  // A field with an error gets the focus, so that it is read out.
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>(`[name=${error.field}]`)?.focus();
  }, [error]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state === "submitting") return;
    form.current = event.currentTarget;
    const sending = send(event.currentTarget);
    setState("submitting");
    setError(null);
    const { ok, error: refused } = await sending;
    const isBeside = refused && form.current.querySelector(`[name="${refused.field}"]:not([type=hidden])`);
    if (isBeside) setError(refused);
    if (ok) emptyComment(form.current);
    setState(ok ? "success" : "error");
  };
  return { state, error, submit };
}

/** Whoever writes again need not say again who they are. */
function emptyComment(form: HTMLFormElement) {
  const { name, email } = form.elements as unknown as Record<string, HTMLInputElement>;
  const [kept, address] = [name!.value, email!.value];
  form.reset();
  name!.value = kept;
  email!.value = address;
}
