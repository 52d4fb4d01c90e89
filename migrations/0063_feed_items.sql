CREATE TABLE `feed_items` (
	`episode_id` integer PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`version` integer NOT NULL,
	`has_long_notes` integer NOT NULL,
	`html_bytes` integer NOT NULL,
	`brief_bytes` integer NOT NULL,
	`more_bytes` integer NOT NULL,
	`notes_bytes` integer NOT NULL,
	`shown` text DEFAULT 'summary' NOT NULL,
	`trailer` text NOT NULL,
	`essentials` text NOT NULL,
	`summary` text NOT NULL,
	`description` text NOT NULL,
	`rest` text NOT NULL,
	`notes` text NOT NULL,
	FOREIGN KEY (`episode_id`) REFERENCES `episodes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `feed_items_by_form` ON `feed_items` (`form`);