import { useEffect, useState } from "react";
import type { MemberAccount } from "#worker/members/contract.ts";
import type { JoinOffer } from "#worker/payments/contract.ts";
import { loadPasskeys } from "./load-passkeys.ts";
import { Refusal, send, wordsOf } from "./request.ts";

type State =
  | { is: "loading" | "failed" }
  /** Signed out; with what has just happened, if anything has. */
  | { is: "out"; message: string | null; offers: JoinOffer[] }
  | { is: "in"; account: MemberAccount; offers: JoinOffer[] };

/** How an action ended, as the button's message; null if it succeeded. */
type Done = Promise<string | null>;

export type AccountActions = {
  chooseLetters: (wanted: boolean) => Done;
  /** As in `choiceIn`. */
  chooseTopics: (choice: object) => Done;
  addPasskey: (name: string) => Done;
  renamePasskey: (id: string, name: string) => Done;
  removePasskey: (id: string) => Done;
  /** By a passkey, for what needs a recent sign-in. */
  signInAgain: () => Done;
  /** Asks for the link that signs in again. */
  mailLink: (email: string) => Done;
  /** Opens the page at Stripe where an offer is paid. */
  join: (offer: number) => Done;
  /** Opens the page at Stripe where payments are changed. */
  managePayments: () => Done;
  makeFeed: () => Done;
  deleteFeed: () => Done;
  endDevice: (id: string) => Done;
  signOut: () => Done;
  signOutEverywhere: () => Done;
  deleteAccount: () => Done;
};

const JOINED = "Thank you. Your membership begins in a moment. Sign in with the address that you paid with.";
const ENDED = "You were signed out. Sign in again.";

/** Asks for the account, in a request of its own: the page is the same for every visitor. */
async function readState(): Promise<State> {
  try {
    const answer = await send("GET", "");
    const { account, offers } = (await answer.json()) as {
      account: MemberAccount | null;
      offers: JoinOffer[];
    };
    if (account) return { is: "in", account, offers };
    return { is: "out", message: location.hash === "#joined" ? JOINED : null, offers };
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
  const act = async (work: () => Promise<unknown>, closed?: string) => {
    try {
      await work();
      if (closed) setState(out(closed));
      else await read();
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        setState(out(ENDED));
        return null;
      }
      // The account then says that the sign-in is no longer recent.
      if (error instanceof Refusal && error.code === "reauthentication_required") await read();
      return wordsOf(error);
    }
  };

  return {
    state,
    read,
    chooseLetters: (wanted) => act(() => send("PUT", "/letters", { wanted })),
    chooseTopics: (choice) => act(() => send("PUT", "/topics", choice)),
    addPasskey: (name) => act(async () => (await loadPasskeys()).add(name)),
    renamePasskey: (id, name) => act(() => send("PATCH", `/passkeys/${id}`, { name })),
    removePasskey: (id) => act(() => remove(id)),
    signInAgain: async () => {
      // A refused passkey does not end the session.
      const failure = await loadPasskeys()
        .then(({ signIn }) => signIn())
        .then(() => null, wordsOf);
      return failure ?? act(async () => undefined);
    },
    mailLink: (email) => send("POST", "/sign-in", { email }).then(() => null, wordsOf),
    join: (price) => leaveFor("/checkout", { price }),
    managePayments: () => leaveFor("/portal"),
    makeFeed: () => act(() => send("POST", "/feed")),
    deleteFeed: () => act(() => send("DELETE", "/feed")),
    endDevice: (id) => act(() => send("DELETE", `/sessions/${id}`)),
    signOut: () => act(() => send("DELETE", "/session"), "You are signed out."),
    signOutEverywhere: () => act(() => send("DELETE", "/sessions"), "You are signed out on all devices."),
    deleteAccount: () => act(() => send("DELETE", ""), "Your membership and its data are deleted."),
  };
}

/** The offers are there when the page is loaded again. */
const out = (message: string): State => ({ is: "out", message, offers: [] });

/** Opens a page of Stripe's, which the site makes for this visitor. */
const leaveFor = (path: string, body?: object): Done =>
  send("POST", path, body).then(async (answer) => {
    const { url } = (await answer.json()) as { url: string };
    location.assign(url);
    return null;
  }, wordsOf);

/** Also where the code of passkeys does not load: the browser then offers a passkey that signs in no longer. */
async function remove(id: string) {
  await send("DELETE", `/passkeys/${id}`);
  await loadPasskeys().then(
    ({ reportRemoval }) => reportRemoval(),
    () => undefined,
  );
}
