import type { Context } from "#worker/platform/context.ts";

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** The domain whose DNS allows the mail transport to send. */
export const sendingDomain = ({ mailFrom }: Context["config"]) => domainOf(mailFrom);

/** Whether emails from this address pass SPF, DKIM and DMARC as those from `MAIL_FROM` do. */
export const isOwnSender = (address: string, config: Context["config"]) =>
  address.includes("@") && domainOf(address) === sendingDomain(config);
