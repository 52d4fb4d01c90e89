DROP INDEX `analytics_totals_first`;--> statement-breakpoint
ALTER TABLE `analytics_totals` ADD `views_so_far` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `analytics_totals` SET `views_so_far` = `filled`.`so_far` FROM (
	SELECT rowid AS `place`, sum(`views`) OVER (PARTITION BY `kind`, `content` ORDER BY `start`) AS `so_far`
	FROM `analytics_totals` WHERE `span` = 1
) AS `filled` WHERE `analytics_totals`.rowid = `filled`.`place`;--> statement-breakpoint
CREATE INDEX `analytics_totals_so_far` ON `analytics_totals` (`kind`,`content`,`start`,`views_so_far`) WHERE span = 1;--> statement-breakpoint
DROP INDEX `download_totals_first`;--> statement-breakpoint
ALTER TABLE `download_totals` ADD `downloads_so_far` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `download_totals` SET `downloads_so_far` = `filled`.`so_far` FROM (
	SELECT rowid AS `place`, sum(`downloads`) OVER (PARTITION BY `episode_id` ORDER BY `start`) AS `so_far`
	FROM `download_totals` WHERE `span` = 1 AND `facet` = 'episode'
) AS `filled` WHERE `download_totals`.rowid = `filled`.`place`;--> statement-breakpoint
CREATE INDEX `download_totals_so_far` ON `download_totals` (`episode_id`,`start`,`downloads_so_far`) WHERE span = 1 and facet = 'episode';
