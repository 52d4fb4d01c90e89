ALTER TABLE `articles` ADD `guid` text;--> statement-breakpoint
CREATE UNIQUE INDEX `articles_guid` ON `articles` (`guid`);--> statement-breakpoint
ALTER TABLE `episodes` ADD `blocked` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `episodes_blocked` ON `episodes` (`id`) WHERE blocked = 1;--> statement-breakpoint
ALTER TABLE `shows` ADD `new_feed_url` text;--> statement-breakpoint
ALTER TABLE `shows` ADD `redirects_feed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `complete` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `blocked` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `license` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `license_url` text;--> statement-breakpoint
ALTER TABLE `shows` ADD `location` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `location_geo` text DEFAULT '' NOT NULL;