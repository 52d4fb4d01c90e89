CREATE TABLE `cache_tags` (
	`tag` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`purged` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `cache_tags_by_version` ON `cache_tags` (`version`);