import type { Mail } from "#worker/mail/message.ts";

/** Maximum emails per batch that the console shows. */
const MOST_SHOWN = 20;

/** Prints an email on a machine that sends none. */
export const printMail = ({ to, subject, link }: Mail) =>
  console.log(`[mail] to=${to} subject=${JSON.stringify(subject)} link=${link}`);

/** The same for letters, without their links. */
export function printLetters(mails: Mail[]) {
  for (const { to, subject } of mails.slice(0, MOST_SHOWN)) {
    console.log(`[mail] to=${to} subject=${JSON.stringify(subject)}`);
  }
  if (mails.length > MOST_SHOWN) console.log(`[mail] and ${mails.length - MOST_SHOWN} more`);
}
