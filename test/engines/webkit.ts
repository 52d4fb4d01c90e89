import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import type { Browser, Engine, Tab } from "./browser.ts";
import { endProgram, missingOf, said, startProgram } from "./programs.ts";
import { soundPackage } from "./sound.ts";

/** Its window has this size, too. */
const SCREEN = { width: 1280, height: 900 };
/** The driver says nothing when it listens. */
const TRIES = { count: 600, pauseMs: 100 };

/**
 * WebKitGTK's own small browser over WebDriver, as Debian packages both. It has no mode without a window: its screen is
 * one in memory.
 */
export const webkit: Engine = {
  name: "WebKit",
  missing: () => missingOf({ WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb", ...soundPackage }),
  start,
};

async function start(env: Record<string, string>): Promise<Browser> {
  const size = `${SCREEN.width}x${SCREEN.height}x24`;
  const screen = startProgram("Xvfb", ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await said(screen, screen.stdio[3] as Readable, /^(\d+)\n/);
  const port = await freePort();
  const driver = startProgram("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, ...env, DISPLAY: `:${display}`, GDK_BACKEND: "x11" },
  });
  const send = sender(`http://127.0.0.1:${port}`);
  await listens(send);
  return {
    newTab: () => newTab(send),
    async close() {
      await endProgram(driver);
      await endProgram(screen);
    },
  };
}

/** A session of its own each time: the driver knows no other storage that is not shared. */
async function newTab(send: Send): Promise<Tab> {
  const { sessionId } = await send<{ sessionId: string }>("POST", "/session", {
    // Otherwise each command waits for everything that loads, including frames of other sites.
    capabilities: { alwaysMatch: { pageLoadStrategy: "none" } },
  });
  const session = `/session/${sessionId}`;
  await send("POST", `${session}/window/rect`, { x: 0, y: 0, ...SCREEN });
  return {
    open: (url) => send("POST", `${session}/url`, { url }),
    call: (source, argument) =>
      send<string>("POST", `${session}/execute/sync`, {
        script: `return (${source})(arguments[0]);`,
        args: [argument],
      }),
    perform: (actions) => send("POST", `${session}/actions`, { actions }),
    close: () => send("DELETE", session),
  };
}

type Send = <Result = void>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
) => Promise<Result>;

const sender =
  (address: string): Send =>
  async <Result>(method: string, path: string, body?: object) => {
    const response = await fetch(address + path, { method, body: body && JSON.stringify(body) });
    const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };

async function listens(send: Send) {
  for (let tries = 0; tries < TRIES.count; tries++) {
    const isReady = await send("GET", "/status").then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await sleep(TRIES.pauseMs);
  }
  throw new Error("WebKitWebDriver does not answer.");
}
