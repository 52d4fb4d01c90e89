import type { ModelKey } from "#worker/models/contract.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import {
  changeProposalKey,
  continueProposals,
  decideProposal,
  discardProposals,
  startProposals,
} from "#worker/proposals/commands.ts";
import { ProposalParam, type ProposalDecision } from "#worker/proposals/contract.ts";
import { readProposals } from "#worker/proposals/queries.ts";

/** Below an episode: what a model proposes from its transcript. */
export const proposalsAdminApi = router()
  .get("/:id/proposals", valid("param", IdParam), async (c) =>
    c.json(await readProposals(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/proposals", valid("param", IdParam), async (c) =>
    c.json(await startProposals(c.var.ctx, c.req.valid("param").id), 201),
  )
  .delete("/:id/proposals", valid("param", IdParam), async (c) => {
    await discardProposals(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/:id/proposals/continue", valid("param", IdParam), async (c) => {
    await continueProposals(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .patch("/:id/proposals/:proposal", valid("param", ProposalParam), json<ProposalDecision>(), async (c) => {
    const { id, proposal } = c.req.valid("param");
    await decideProposal(c.var.ctx, id, proposal, c.req.valid("json"));
    return c.body(null, 204);
  });

export const proposalKeyApi = router().put("/", json<ModelKey>(), async (c) =>
  c.json(await changeProposalKey(c.var.ctx, c.req.valid("json"))),
);
