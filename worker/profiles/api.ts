import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { createProfile, deleteProfile, updateProfile } from "#worker/profiles/commands.ts";
import { listPeople, readProfileForEdit } from "#worker/profiles/owner-queries.ts";

/** `/api/admin/profiles` */
export const profilesAdminApi = itemRoutes({
  create: createProfile,
  readForEdit: readProfileForEdit,
  update: updateProfile,
  remove: deleteProfile,
}).get("/", async (c) => c.json(await listPeople(c.var.ctx)));
