/** What each engine's adapter gives. Everything else is built on it, once, in `page.ts`. */

export type Engine = {
  name: string;
  /** The Debian package to install if the browser is missing. */
  missing: () => string | null;
  /** `env`: how it finds the sound server. */
  start: (env: Record<string, string>) => Promise<Browser>;
};

export type Browser = {
  /** A tab with a storage of its own. */
  newTab: () => Promise<Tab>;
  close: () => Promise<void>;
};

export type Tab = {
  open: (url: string) => Promise<void>;
  /** Calls a function, given by its source, with a text and returns the text that it returns. */
  call: (source: string, argument: string) => Promise<string>;
  /** Real input, in the words of WebDriver's Actions, which WebDriver BiDi has taken over. */
  perform: (actions: Input[]) => Promise<void>;
  close: () => Promise<void>;
};

export type Input =
  | { type: "pointer"; id: "mouse"; parameters: { pointerType: "mouse" }; actions: PointerStep[] }
  | { type: "key"; id: "keyboard"; actions: KeyStep[] };

export type PointerStep =
  | { type: "pointerMove"; x: number; y: number; duration: number }
  | { type: "pointerDown" | "pointerUp"; button: 0 }
  | { type: "pause"; duration: number };

export type KeyStep = { type: "keyDown" | "keyUp"; value: string };
