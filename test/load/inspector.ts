import { pause } from "./client.ts";

/** What V8's inspector of a Worker is asked: https://chromedevtools.github.io/devtools-protocol/v8/ */
export type Inspector = {
  call: <T>(method: string, params?: Record<string, unknown>) => Promise<T>;
  close: () => void;
};

type Answer = { id?: number; result?: unknown; error?: { message: string } };

/**
 * Connects to the inspector of a Worker.
 * @param wake requests something of the Worker: workerd answers its inspector only while the isolate runs
 */
export async function openInspector(url: URL, wake: () => Promise<unknown>): Promise<Inspector> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(unanswered()), { once: true });
  });
  let last = 0;
  const ask = (method: string, params: Record<string, unknown>) => {
    const id = ++last;
    return new Promise<unknown>((resolve, reject) => {
      const listen = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as Answer;
        if (answer.id !== id) return;
        socket.removeEventListener("message", listen);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      socket.addEventListener("message", listen);
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  return {
    call: async <T>(method: string, params = {}) => (await whileRunning(wake, ask(method, params))) as T,
    close: () => socket.close(),
  };
}

/** Wakes the isolate until the inspector has answered, ten seconds at most. */
async function whileRunning<T>(wake: () => Promise<unknown>, answer: Promise<T>): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    await wake();
    const isDone = await Promise.race([answer.then(() => true), pause(100).then(() => false)]);
    if (isDone) return answer;
  }
  throw unanswered();
}

const unanswered = () => new Error("The inspector did not answer.");
