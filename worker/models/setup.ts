import type { Service } from "#worker/models/contract.ts";
import type { Context } from "#worker/platform/context.ts";

type Settings = { service: Service; url: string };

/** Why no model answers, for the owner; null if one does. `what`: what is switched off, as in "Transcripts are". */
export function whyNotSetUp({ ai }: Context, { service, url }: Settings, what: string) {
  if (service === "off") return `${what} switched off in the settings.`;
  if (service === "workers-ai" && !ai) return "This site isn’t connected to Workers AI (the binding AI).";
  return service === "server" && url === "" ? "The settings have no address of the server." : null;
}

/** What answers, as it is named to the owner. */
export const serviceName = ({ service, url }: Settings) =>
  service === "workers-ai" ? "Workers AI" : (URL.parse(url)?.host ?? "");
