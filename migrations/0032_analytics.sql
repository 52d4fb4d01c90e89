CREATE TABLE `analytics_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`run` text NOT NULL,
	`event_mark` integer NOT NULL,
	`download_mark` integer NOT NULL,
	`stored_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `analytics_batches_stored` ON `analytics_batches` (`stored_at`);--> statement-breakpoint
CREATE TABLE `analytics_counts` (
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`kind`, `content`, `span`, `start`, `name`)
);
--> statement-breakpoint
CREATE TABLE `analytics_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`day` integer NOT NULL,
	`network` text NOT NULL,
	`visitor` text NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`type` text NOT NULL,
	`detail` text NOT NULL,
	`seconds` integer NOT NULL,
	`is_attentive` integer NOT NULL,
	`sent_at` integer NOT NULL,
	`source` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `analytics_events_key` ON `analytics_events` (`key`);--> statement-breakpoint
CREATE INDEX `analytics_events_visit` ON `analytics_events` (`network`,`kind`,`content`,`type`,`visitor`);--> statement-breakpoint
CREATE TABLE `analytics_rejections` (
	`day` integer NOT NULL,
	`of` text NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `of`, `reason`)
);
--> statement-breakpoint
CREATE TABLE `analytics_salts` (
	`day` integer PRIMARY KEY NOT NULL,
	`salt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `analytics_sources` (
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`host` text NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`span`, `start`, `host`)
);
--> statement-breakpoint
CREATE TABLE `analytics_totals` (
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`views` integer NOT NULL,
	`visitors` integer NOT NULL,
	`visits` integer NOT NULL,
	`engaged` integer NOT NULL,
	`readings` integer NOT NULL,
	`reading_seconds` integer NOT NULL,
	PRIMARY KEY(`span`, `kind`, `start`, `content`)
);
--> statement-breakpoint
CREATE TABLE `download_parts` (
	`day` integer NOT NULL,
	`episode_id` integer NOT NULL,
	`network` text NOT NULL,
	`listener` text NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`day`, `network`, `listener`, `episode_id`, `first`, `last`)
);
--> statement-breakpoint
CREATE TABLE `download_totals` (
	`facet` text NOT NULL,
	`span` integer NOT NULL,
	`start` integer NOT NULL,
	`episode_id` integer NOT NULL,
	`value` text NOT NULL,
	`downloads` integer NOT NULL,
	PRIMARY KEY(`facet`, `span`, `start`, `episode_id`, `value`)
);
--> statement-breakpoint
CREATE INDEX `download_totals_episode` ON `download_totals` (`episode_id`,`facet`,`span`,`start`);--> statement-breakpoint
CREATE TABLE `downloads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`day` integer NOT NULL,
	`episode_id` integer NOT NULL,
	`network` text NOT NULL,
	`listener` text NOT NULL,
	`app` text NOT NULL,
	`device` text NOT NULL,
	`country` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `downloads_once` ON `downloads` (`network`,`episode_id`,`listener`,`day`);--> statement-breakpoint
CREATE INDEX `episodes_audio` ON `episodes` (`audio_file_id`);--> statement-breakpoint
ALTER TABLE `articles` DROP COLUMN `view_count`;