import { useToast } from "#site/shell/toast.ts";
import { troubleOf } from "./trouble.ts";

/** Runs a piece of work; when that fails, a toast says so under this title, and why. */
export function useAttempt() {
  const say = useToast();
  return async (title: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      console.warn(error);
      say({ kind: "error", title, description: troubleOf(error) });
    }
  };
}
