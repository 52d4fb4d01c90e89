import { createServer } from "node:net";

/** From 32768 on, Linux takes ports for connections: one of those could be taken before the server starts. */
const FIRST = 20_000;
const END = 32_768;

/** A free port. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (END - FIRST));
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number) {
  return new Promise<boolean>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
