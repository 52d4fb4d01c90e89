import { beforeEach, describe, expect, it } from "vitest";
import {
  createCampaign,
  deleteCampaign,
  reorderCampaigns,
  updateCampaign,
} from "#worker/campaigns/commands.ts";
import { MOST_CAMPAIGNS, type NewCampaign } from "#worker/campaigns/contract.ts";
import { listAllCampaigns, readCampaignForEdit, readNewCampaign } from "#worker/campaigns/owner-queries.ts";
import { listCampaigns } from "#worker/campaigns/queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import { fetchSite, ownerContext, signedIn, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";

const aCampaign = (overrides: Partial<NewCampaign> = {}): NewCampaign => ({
  title: `Campaign ${unique()}`,
  embedUrl: "https://petitions.example.org/EN8108",
  ...overrides,
});
const saved = (overrides?: Partial<NewCampaign>) => createCampaign(ownerContext(), aCampaign(overrides));
const shown = async () => (await listCampaigns(visitorContext())).map(({ title }) => title);

beforeEach(() => ownerContext().db.delete(campaigns));

describe("a new campaign", () => {
  it("is an active petition, at 0 if it is the first, unless it says otherwise", async () => {
    const { values } = await saved({ title: "Plain" });
    expect(values).toEqual({
      type: "petition",
      title: "Plain",
      description: "",
      reference: "",
      category: "",
      embedUrl: "https://petitions.example.org/EN8108",
      status: "active",
      sortOrder: 0,
    });
  });

  it("has a position among at most sixty, all of which visitors see", async () => {
    for (let made = 0; made < MOST_CAMPAIGNS; made++) await saved();
    await expect(saved()).rejects.toThrow("You already have 60 campaigns. Delete one to make room.");
    // Of two concurrent creations for the last position, one succeeds.
    await deleteCampaign(ownerContext(), (await listAllCampaigns(ownerContext())).items[0]!.id);
    const both = await Promise.allSettled([saved(), saved()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await shown()).toHaveLength(MOST_CAMPAIGNS);
    expect((await listAllCampaigns(ownerContext())).items).toHaveLength(MOST_CAMPAIGNS);
  });
});

describe("a change of a campaign", () => {
  it("leaves missing fields unchanged, and closes it for visitors", async () => {
    const { id } = await saved({ title: "Sign", category: "Housing", reference: "EN1", sortOrder: 3 });
    await updateCampaign(ownerContext(), id, { status: "closed" });
    expect(await shown()).toEqual([]);
    expect((await readCampaignForEdit(ownerContext(), id)).values).toMatchObject({
      title: "Sign",
      category: "Housing",
      reference: "EN1",
      sortOrder: 3,
      status: "closed",
    });
  });

  it("is refused when the campaign was changed since it was opened", async () => {
    const { id, updatedAt: basedOn } = await saved();
    await updateCampaign(ownerContext(), id, { title: "Theirs", basedOn });
    await expect(updateCampaign(ownerContext(), id, { title: "Mine", basedOn })).rejects.toMatchObject({
      code: "conflict",
    });
    await updateCampaign(ownerContext(), id, { title: "Mine" });
    expect(await shown()).toEqual(["Mine"]);
  });

  it.each(["http://a.example/", "javascript:alert(1)", "data:text/html,x", "a.example", ""])(
    "takes no address such as %j",
    async (embedUrl) => {
      const { id } = await saved();
      await expect(updateCampaign(ownerContext(), id, { embedUrl })).rejects.toMatchObject({
        code: "invalid",
        field: "embedUrl",
      });
    },
  );

  it("is removed when the campaign is deleted", async () => {
    const { id } = await saved();
    await deleteCampaign(ownerContext(), id);
    expect(await shown()).toEqual([]);
    await expect(updateCampaign(ownerContext(), id, {})).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the order", () => {
  const three = async () => {
    const ids: number[] = [];
    for (const title of ["A", "B", "C"]) ids.push((await saved({ title })).id);
    return ids as [number, number, number];
  };

  it("is the one that visitors see, and refuses the form of a campaign that moved", async () => {
    const [a, b, c] = await three();
    const opened = await readCampaignForEdit(ownerContext(), c);
    await reorderCampaigns(ownerContext(), { ids: [c, a, b] });
    expect(await shown()).toEqual(["C", "A", "B"]);
    await expect(
      updateCampaign(ownerContext(), c, { sortOrder: 0, basedOn: opened.updatedAt }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("has a new campaign at its end, and so does its form", async () => {
    const [a, b, c] = await three();
    await reorderCampaigns(ownerContext(), { ids: [c, a, b] });
    const { sortOrder } = await readNewCampaign(ownerContext());
    await saved({ title: "New" });
    await saved({ title: "By the form", sortOrder });
    expect(await shown()).toEqual(["C", "A", "B", "New", "By the form"]);
  });

  it("that leaves one out or names one twice is refused as a whole", async () => {
    const [a, b, c] = await three();
    for (const ids of [
      [b, a],
      [a, b, b],
      [c, b, 999_999],
    ])
      await expect(reorderCampaigns(ownerContext(), { ids })).rejects.toMatchObject({ code: "conflict" });
    expect(await shown()).toEqual(["A", "B", "C"]);
  });
});

it("the admin API lists, creates, reads, changes, orders and deletes", async () => {
  const { cookie } = await signedIn("editor");
  const call = (method: string, path = "", body?: unknown) =>
    fetchSite(`/api/admin/campaigns${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const created = await call("POST", "", aCampaign({ title: "By HTTP", status: "closed" }));
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: number };
  expect(await (await call("GET", `/${id}`)).json()).toMatchObject({ id, values: { title: "By HTTP" } });
  const changed = await call("PATCH", `/${id}`, { type: "crowdfund" });
  expect([changed.status, await changed.json()]).toMatchObject([200, { values: { type: "crowdfund" } }]);
  const list = { items: [expect.objectContaining({ id, type: "crowdfund", status: "closed" })], next: null };
  expect(await (await call("GET")).json()).toEqual(list);
  expect((await call("PUT", "/order", { ids: [id] })).status).toBe(200);
  expect((await call("DELETE", `/${id}`)).status).toBe(204);
  expect((await call("DELETE", `/${id}`)).status).toBe(404);
});
