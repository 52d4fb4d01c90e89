import { useEffect, useState } from "react";
import type { MemberAccount } from "#worker/members/contract.ts";
import type { ErrorBody } from "#worker/platform/errors.ts";

type State =
  | { is: "loading" | "failed" }
  /** Signed out; with what has just happened, if anything has. */
  | { is: "out"; message: string | null }
  | { is: "in"; account: MemberAccount };

/** How an action ended, as the button's message; null if it succeeded. */
type Done = Promise<string | null>;

export type AccountActions = {
  chooseLetters: (wanted: boolean) => Done;
  endDevice: (id: string) => Done;
  signOut: () => Done;
  signOutEverywhere: () => Done;
  deleteAccount: () => Done;
};

const FAILED = "That didn’t work. Please try again.";
const ENDED = "You were signed out. Sign in again.";

const send = (method: string, path: string, body?: object) =>
  fetch(`/api/member${path}`, {
    method,
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });

/** Asks for the account, in a request of its own: the page is the same for every visitor. */
async function readState(): Promise<State> {
  try {
    const answer = await send("GET", "");
    if (!answer.ok) throw new Error(`The account was answered with ${answer.status}.`);
    const { account } = (await answer.json()) as { account: MemberAccount | null };
    return account ? { is: "in", account } : { is: "out", message: null };
  } catch (error) {
    console.error(error);
    return { is: "failed" };
  }
}

/** The account of the member who is signed in in this browser, and what they can do with it. */
export function useAccount(): { state: State; read: () => Promise<void> } & AccountActions {
  const [state, setState] = useState<State>({ is: "loading" });
  const read = () => readState().then(setState);
  useEffect(() => {
    void readState().then(setState);
    // A page that the browser has stored whole may show an account that is signed out by now.
    const readAgain = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void readState().then(setState);
    };
    addEventListener("pageshow", readAgain);
    return () => removeEventListener("pageshow", readAgain);
  }, []);

  /** Then reads the account again, or with a message shows that it is closed. */
  const act = async (request: Promise<Response>, closed?: string) => {
    try {
      const answer = await request;
      const { ok, status } = answer;
      if (status === 401) setState({ is: "out", message: ENDED });
      else if (status === 429) return ((await answer.json()) as ErrorBody).error.message;
      else if (!ok) return FAILED;
      else if (closed) setState({ is: "out", message: closed });
      else await read();
      return null;
    } catch (error) {
      console.error(error);
      return FAILED;
    }
  };

  return {
    state,
    read,
    chooseLetters: (wanted) => act(send("PUT", "/letters", { wanted })),
    endDevice: (id) => act(send("DELETE", `/sessions/${id}`)),
    signOut: () => act(send("DELETE", "/session"), "You are signed out."),
    signOutEverywhere: () => act(send("DELETE", "/sessions"), "You are signed out on all devices."),
    deleteAccount: () => act(send("DELETE", ""), "Your membership and its data are deleted."),
  };
}
