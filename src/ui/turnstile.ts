/** Cloudflare Turnstile, rendered explicitly (https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/). */
const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

type Options = {
  sitekey: string;
  theme: "light" | "dark";
  size: "flexible";
  "response-field-name": string;
  callback: () => void;
  /** Return true to keep the error out of the console. */
  "error-callback": () => boolean;
  "timeout-callback": () => void;
  "unsupported-callback": () => void;
};

type Turnstile = {
  render: (container: HTMLElement, options: Options) => string;
  reset: (widget: string) => void;
  remove: (widget: string) => void;
};

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

let loading: Promise<Turnstile> | undefined;

function load() {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: SCRIPT, async: true });
    script.addEventListener("load", () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error("The robot check is missing.")),
    );
    script.addEventListener("error", () => reject(new Error("The robot check didn’t load.")));
    document.head.appendChild(script);
  });
  return loading;
}

/** The widget of one form, which writes its token into the form. */
export type Widget = {
  /** Resolves once there is a token, or the check has failed. */
  settled: () => Promise<void>;
  /** Requests a new token, since tokens are single-use. */
  reset: () => void;
  remove: () => void;
};

/** `onFailure`: the check failed, so there is no token. */
export async function showTurnstile(
  container: HTMLElement,
  { siteKey, field, onFailure }: { siteKey: string; field: string; onFailure: () => void },
): Promise<Widget> {
  const turnstile = await load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  // Not Promise.withResolvers, which is too new for Safari 16.
  let resolve!: () => void;
  const untilSettled = () => new Promise<void>((settle) => (resolve = settle));
  let promise = untilSettled();
  const fail = () => {
    onFailure();
    resolve();
  };
  const widget = turnstile.render(container, {
    sitekey: siteKey,
    theme: document.documentElement.classList.contains("dark") ? "dark" : "light",
    size: "flexible",
    "response-field-name": field,
    callback: () => resolve(),
    "error-callback": () => {
      fail();
      return true;
    },
    "timeout-callback": fail,
    "unsupported-callback": fail,
  });
  return {
    settled: () => promise,
    reset() {
      promise = untilSettled();
      turnstile.reset(widget);
    },
    remove: () => turnstile.remove(widget),
  };
}
