import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Engine, Tab } from "./browser.ts";
import { endProgram, has, missingOf, said, startProgram } from "./programs.ts";
import { soundPackage } from "./sound.ts";

/**
 * The installed Firefox, headless, over its own WebDriver BiDi. These preferences of its automation prevent network
 * requests. Autoplay is as in a listener's Firefox.
 */
const preferences = {
  "app.normandy.enabled": false,
  "services.settings.server": "data:,#none/v1",
  "network.connectivity-service.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "ui.prefersReducedMotion": 1,
};
const WINDOW = ["--width", "1280", "--height", "900"];

export const firefox: Engine = {
  name: "Firefox",
  missing: () => missingOf(has("firefox") ? soundPackage : { "firefox-esr": "firefox-esr", ...soundPackage }),
  start,
};

async function start(env: Record<string, string>): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "rostrum-firefox-"));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const program = has("firefox-esr") ? "firefox-esr" : "firefox";
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", ...WINDOW];
  const child = startProgram(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  const address = await said(child, child.stderr!, /BiDi listening on (ws:\S+)/);
  const { send, hangUp } = await connect(`${address}/session`);
  await send("session.new", { capabilities: {} });
  return {
    newTab: () => newTab(send),
    async close() {
      hangUp();
      await endProgram(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function newTab(send: Send): Promise<Tab> {
  const { userContext } = await send<{ userContext: string }>("browser.createUserContext", {});
  const { context } = await send<{ context: string }>("browsingContext.create", { type: "tab", userContext });
  return {
    open: (url) => send("browsingContext.navigate", { context, url, wait: "none" }),
    async call(functionDeclaration, argument) {
      const answer = await send<Called>("script.callFunction", {
        functionDeclaration,
        arguments: [{ type: "string", value: argument }],
        target: { context },
        awaitPromise: false,
      });
      if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
      return answer.result.value;
    },
    perform: (actions) => send("input.performActions", { context, actions }),
    close: () => send("browser.removeUserContext", { userContext }),
  };
}

type Called =
  | { type: "success"; result: { value: string } }
  | { type: "exception"; exceptionDetails: { text: string } };
type Send = <Result = void>(method: string, params: object) => Promise<Result>;
type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string };

/** Commands and their answers by one socket. Events are not asked for. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener("message", ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Answer;
    const command = waiting.get(id ?? -1);
    waiting.delete(id ?? -1);
    if (type === "error") command?.reject(new Error(`${error}: ${message}`));
    else command?.resolve(result);
  });
  socket.addEventListener("close", () => {
    for (const command of waiting.values()) command.reject(new Error("Firefox has hung up."));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`${address} does not answer.`)));
  });
  let last = 0;
  const send: Send = <Result>(method: string, params: object) => {
    const command = Promise.withResolvers<unknown>();
    waiting.set(++last, command);
    socket.send(JSON.stringify({ id: last, method, params }));
    return command.promise as Promise<Result>;
  };
  return { send, hangUp: () => socket.close() };
}
