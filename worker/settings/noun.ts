import { jsonFile, type Exporter } from "#worker/exports/noun-export.ts";
import { noun } from "#worker/nouns/noun.ts";
import { readSite } from "#worker/settings/queries.ts";
import { settings } from "#worker/settings/table.ts";

/** Without those of the deployment and its secrets. */
const settingsForExport: Exporter = async function* (ctx) {
  yield jsonFile("settings.json", await readSite(ctx));
};

export const settingsNoun = noun({ table: settings, exported: settingsForExport });
