import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { expect, test } from "vitest";
import { composeLetter, UNSUBSCRIBE_SLOT } from "../../worker/letters/render.ts";
import { copyOf } from "../../worker/mail/message.ts";
import type { Context } from "../../worker/platform/context.ts";
import { siteDefaults } from "../../worker/settings/contract.ts";

/** Needs SpamAssassin, which is rarely installed, so it only runs on request: see docs/commands.md. */
test.runIf(process.env["SPAM_SCORE"])(
  "a letter of a demo essay scores below 1.0 in SpamAssassin",
  async () => {
    const config = { siteUrl: "https://plainground.example", mailFrom: "letters@plainground.example" };
    const ctx = { config } as Context;
    const [, , essay = ""] = readFileSync("demo/essays/write-the-last-page-first.md", "utf8").split(/^---$/m);
    const site = { ...siteDefaults, name: "Imogen Tarrant" };
    const words = { subject: "Write the last page first", preheader: "One sheet of paper.", content: essay };
    const { mail } = await composeLetter(ctx, site, words);
    const values = { [UNSUBSCRIBE_SLOT]: "a.b-c_d" };
    const { from, headers, ...copy } = copyOf(ctx, mail, { to: "reader@example.com", values });
    const raw = await new MailComposer({
      ...copy,
      from: { name: from.name ?? "", address: from.address },
      replyTo: undefined,
      headers: headers as Record<string, string>,
    })
      .compile()
      .build();
    // Locally: without requests about the sender.
    const { stdout, error } = spawnSync("spamassassin", ["-L", "-t"], { input: raw, encoding: "utf8" });
    if (error) throw new Error("SpamAssassin is not installed.", { cause: error });
    const report = stdout.slice(stdout.lastIndexOf("Content analysis details"));
    console.log(report);
    const [, score] = /\((-?[\d.]+) points/.exec(report) ?? [];
    expect(Number(score)).toBeLessThan(1);
  },
);
