import { ModelError } from "#worker/models/model-error.ts";
import { serverKey } from "#worker/models/server-key.ts";
import { whyNotSetUp as whyNoModel } from "#worker/models/setup.ts";
import type { Context } from "#worker/platform/context.ts";
import { openAiServer } from "#worker/proposals/openai-server.ts";
import { proposalKeys } from "#worker/proposals/table.ts";
import type { Prompt } from "#worker/proposals/text-model.ts";
import { workersAi } from "#worker/proposals/workers-ai.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

export const proposalKey = serverKey(proposalKeys, {
  purpose: "proposal-key",
  kind: "proposals_key_changed",
  urlOf: ({ proposals }) => proposals.url,
});

/** Why nothing can be proposed, for the owner; null if it can. */
export const whyNotSetUp = (ctx: Context, settings: Site["proposals"]) =>
  whyNoModel(ctx, settings, "Proposals are");

/**
 * The text model of the settings, by this name.
 * @throws ModelError
 */
export async function openModel(ctx: Context, name: string) {
  const { proposals } = await readSite(ctx);
  const problem = whyNotSetUp(ctx, proposals);
  if (problem !== null) throw new ModelError("settings", problem);
  const { service, url, waitSeconds } = proposals;
  const model =
    service === "workers-ai"
      ? workersAi(ctx.ai!, name)
      : openAiServer({
          url,
          key: await proposalKey.read(ctx, url),
          model: name,
          loopback: ctx.config.loopback,
        });
  return { answer: (prompt: Prompt) => model.answer(prompt, waitSeconds * 1000) };
}
