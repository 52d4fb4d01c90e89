import { useEffect, useRef, type FormEvent } from "react";
import { useActionData, useNavigation } from "react-router";

/**
 * An onSubmit for a `<Form>` that lets one submission through at a time. A disabled button is too late for a double click
 * or a second Enter: React renders it after both events.
 */
export function useSingleSubmit() {
  const sent = useRef<{ lastAnswer: unknown } | null>(null);
  const { state } = useNavigation();
  const answer = useActionData();
  useEffect(() => {
    if (state === "idle") sent.current = null;
  }, [state]);
  return (event: FormEvent<HTMLFormElement>) => {
    // A submission that fails immediately never renders as submitting: only its answer is new.
    if (sent.current && sent.current.lastAnswer === answer) event.preventDefault();
    sent.current = { lastAnswer: answer };
  };
}
