import { useEffect, useRef, type FormEvent } from "react";
import { useNavigation } from "react-router";

/**
 * An onSubmit for a `<Form>` that lets one submission through at a time. A disabled button is too late against a double
 * click or a second Enter: React renders it only after both have come.
 */
export function useSendOnce() {
  const isSending = useRef(false);
  const { state } = useNavigation();
  useEffect(() => {
    if (state === "idle") isSending.current = false;
  }, [state]);
  return (event: FormEvent<HTMLFormElement>) => {
    if (isSending.current) event.preventDefault();
    isSending.current = true;
  };
}
