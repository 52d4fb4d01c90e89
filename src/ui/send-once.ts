import { useEffect, useRef, type FormEvent } from "react";
import { useActionData, useNavigation } from "react-router";

/**
 * An onSubmit for a `<Form>` that lets one submission through at a time. A disabled button is too late against a double
 * click or a second Enter: React renders it only after both have come.
 */
export function useSendOnce() {
  const sent = useRef<{ lastAnswer: unknown } | null>(null);
  const { state } = useNavigation();
  const answer = useActionData();
  useEffect(() => {
    if (state === "idle") sent.current = null;
  }, [state]);
  return (event: FormEvent<HTMLFormElement>) => {
    // What fails at once, as without a connection, is over before another state was rendered: its answer alone is new.
    if (sent.current && sent.current.lastAnswer === answer) event.preventDefault();
    sent.current = { lastAnswer: answer };
  };
}
