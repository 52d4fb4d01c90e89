import { jsonFile, type Exporter } from "#worker/exports/exported.ts";
import { readSite } from "#worker/settings/queries.ts";

/** The settings; those of a deployment, with their secrets, are not among them. */
export const settingsForExport: Exporter = async function* (ctx) {
  yield jsonFile("settings.json", await readSite(ctx));
};
