-- Episodes in the bin are restored into columns that are not null.
UPDATE `binned_episodes` SET `funding` = '[]', `places` = '[]';--> statement-breakpoint
-- Its support link and its place are the first of a list now.
UPDATE `shows` SET `funding` = json_array(json_object('url', `funding_url`, 'text', `funding_text`))
WHERE `funding_url` IS NOT NULL;--> statement-breakpoint
UPDATE `shows` SET `places` = json_array(
	json_object('name', `location`, 'rel', 'subject', 'geo', `location_geo`, 'osm', '', 'country', '')
) WHERE `location` <> '';--> statement-breakpoint
ALTER TABLE `shows` DROP COLUMN `funding_url`;--> statement-breakpoint
ALTER TABLE `shows` DROP COLUMN `funding_text`;--> statement-breakpoint
ALTER TABLE `shows` DROP COLUMN `location`;--> statement-breakpoint
ALTER TABLE `shows` DROP COLUMN `location_geo`;