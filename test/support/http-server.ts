import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type HttpServer = { port: number; stop: () => void };

/**
 * Listens on loopback, at any free port unless one is given. It ends no idle connection: a workerd whose thread is busy
 * does not hear of that in time, asks once more on the same connection, and fails with "Network connection lost".
 */
export async function startHttpServer(answer: RequestListener, port = 0): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
