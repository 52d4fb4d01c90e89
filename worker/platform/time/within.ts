/** The answer of a service, or an error after this many milliseconds. `what` is for the log. */
export async function within<T>(milliseconds: number, what: string, answer: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const late = () => timeout.reject(new Error(`${what} did not answer within ${milliseconds} ms.`));
  const timer = setTimeout(late, milliseconds);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds to wait for KV or the rate limiter, without which the site does as well. They take a tenth of that. */
export const PATIENCE = 1000;

/** Milliseconds to wait for D1 where an answer can be given without it. */
export const PATIENCE_WITH_D1 = 3000;
