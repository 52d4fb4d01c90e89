-- Days were those of UTC, and stay so until the time zone of the site is followed.
CREATE TABLE `analytics_zones` (
	`day` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `analytics_zones` (`day`, `time_zone`)
SELECT 0, 'UTC' WHERE EXISTS (SELECT 1 FROM `analytics_totals`) OR EXISTS (SELECT 1 FROM `download_totals`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_analytics_salts` (
	`of` text NOT NULL,
	`day` integer NOT NULL,
	`salt` text NOT NULL,
	PRIMARY KEY(`of`, `day`)
);
--> statement-breakpoint
INSERT INTO `__new_analytics_salts`("of", "day", "salt")
SELECT `column1`, "day", "salt" FROM `analytics_salts`, (VALUES ('events'), ('downloads'));--> statement-breakpoint
DROP TABLE `analytics_salts`;--> statement-breakpoint
ALTER TABLE `__new_analytics_salts` RENAME TO `analytics_salts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
ALTER TABLE `analytics_events` ADD `quarter` integer;--> statement-breakpoint
ALTER TABLE `downloads` ADD `owner_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `downloads` SET `owner_day` = `day`;--> statement-breakpoint
ALTER TABLE `downloads` ADD `quarter` integer;