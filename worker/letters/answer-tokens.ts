import type { Context } from "#worker/platform/context.ts";
import { lastingSigner, readLasting } from "#worker/platform/http/signed.ts";

const PURPOSE = "letter-answer";

/** Signs the tokens of a letter's answers, many with one read of the key. They end with the question. */
export async function answerSigner(ctx: Context) {
  const sign = await lastingSigner(ctx);
  return (subscriberId: string, letterId: number) =>
    sign({ purpose: PURPOSE, subject: subscriberId, stamp: String(letterId) });
}

/** The subscriber and letter of a token; null for an invalid one. */
export async function readAnswerToken(ctx: Context, token: string) {
  const link = await readLasting(ctx, PURPOSE, token);
  return link.ok ? { subscriberId: link.subject, letterId: Number(link.stamp) } : null;
}

export type AnswerLink = NonNullable<Awaited<ReturnType<typeof readAnswerToken>>>;
