import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./page.ts";
import { endProgram, startProgram } from "./programs.ts";

/** The program and its package, which both engines need: without a sound device Firefox refuses to play. */
export const soundPackage = { pulseaudio: "pulseaudio" };

/** A silent sound server whose clock runs as a device's does. Pass its `env` to the browser. */
export async function startSound() {
  const folder = mkdtempSync(join(tmpdir(), "rostrum-sound-"));
  const socket = join(folder, "socket");
  const child = startProgram(
    "pulseaudio",
    [
      "-n",
      "--daemonize=no",
      "--use-pid-file=no",
      "--exit-idle-time=-1",
      "--load=module-null-sink",
      `--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ],
    // Its state is in that folder, not in the user's home.
    { env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder } },
  );
  await until("the sound server listens", async () => {
    if (child.exitCode !== null) throw new Error(`pulseaudio ended with ${child.exitCode}.`);
    return existsSync(socket);
  });
  return {
    env: { PULSE_SERVER: `unix:${socket}` },
    async stop() {
      await endProgram(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
