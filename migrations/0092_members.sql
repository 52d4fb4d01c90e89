CREATE TABLE `members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`tier_id` integer NOT NULL,
	`source` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer,
	`stamp` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`tier_id`) REFERENCES `tiers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email` ON `members` (`email`);--> statement-breakpoint
CREATE INDEX `members_by_tier` ON `members` (`tier_id`);--> statement-breakpoint
CREATE TABLE `tiers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`price` text NOT NULL,
	`sort_order` integer NOT NULL,
	`draft_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tiers_name` ON `tiers` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `tiers_draft_key` ON `tiers` (`draft_key`);