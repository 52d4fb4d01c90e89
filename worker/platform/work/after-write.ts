import { logAsNull } from "#worker/platform/log.ts";

/** Work after a finished write, such as a note in KV: its error is logged, and the answer remains a success. */
export const afterWrite = async (what: string, work: Promise<unknown>) =>
  void (await work.catch(logAsNull(what)));
