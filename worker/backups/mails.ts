import { readNoticeAddress } from "#worker/accounts/notice-address.ts";
import type { Run } from "#worker/backups/runs.ts";
import { composeMail } from "#worker/mail/message.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite, senderOf } from "#worker/settings/queries.ts";

/** To the owner: a copy could not be restored as it should be. */
export const drillFailedMail = (ctx: Context, _run: Run, problem: string) =>
  noticeMail(ctx, "The drill of your copies failed", [
    `The drill restores the newest copy of your site and compares it with what was copied. This time it found: ${problem}`,
    "Press Copy now in Settings ▸ System, then Run the drill now. If it fails again, ask the person who runs the installation. Older copies are unchanged.",
  ]);

/** To the owner: the newest copy is too old. `problem` is why the last one failed. */
export const copyOldMail = (ctx: Context, problem?: string | null) =>
  noticeMail(ctx, "Your site was not copied for two days", [
    `Each night the site is copied into a bucket of its own. For two days no copy was finished.${problem ? ` The last one failed: ${problem}` : ""}`,
    ctx.backup
      ? "Press Copy now in Settings ▸ System, and look there after a few minutes. If it fails again, ask the person who runs the installation. Older copies are unchanged."
      : "The bucket is not connected to the site any more. The person who runs the installation connects it with npm run deploy -- --copies yes. Older copies are unchanged.",
  ]);

/** To the owner: the drill is overdue. */
export const drillLateMail = (ctx: Context) =>
  noticeMail(ctx, "Your copies were not tried for ten days", [
    "Each week a drill restores the newest copy of your site and compares it with what was copied. For ten days none was finished.",
    "Press Run the drill now in Settings ▸ System, and look there after a few minutes.",
  ]);

async function noticeMail(ctx: Context, subject: string, texts: string[]) {
  const site = await readSite(ctx);
  return composeMail(ctx, {
    ...senderOf(ctx, site),
    to: await readNoticeAddress(ctx, site),
    subject: `${subject}: ${site.name}`,
    parts: [...texts, { label: "Open System", href: `${ctx.config.siteUrl}/admin/settings/system` }],
  });
}
