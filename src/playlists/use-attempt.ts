import { useToast } from "#site/shell/toast.ts";
import { errorMessage } from "./error-message.ts";

/** Runs `work`. If it fails, shows a toast with `title` and the error's message. */
export function useAttempt() {
  const say = useToast();
  return async (title: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      console.warn(error);
      say({ kind: "error", title, description: errorMessage(error) });
    }
  };
}
