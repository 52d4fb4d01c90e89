import { jsonFile, type Exporter } from "#worker/exports/exported.ts";
import { readSite } from "#worker/settings/queries.ts";

/** The settings, without those of the deployment and its secrets. */
export const settingsForExport: Exporter = async function* (ctx) {
  yield jsonFile("settings.json", await readSite(ctx));
};
