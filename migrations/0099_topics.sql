CREATE TABLE `topics` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`is_offered` integer NOT NULL,
	`sort_order` integer NOT NULL,
	`draft_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `topics_name` ON `topics` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `topics_draft_key` ON `topics` (`draft_key`);--> statement-breakpoint
ALTER TABLE `subscribers` ADD `topic_ids` text;--> statement-breakpoint
CREATE INDEX `subscribers_with_topics` ON `subscribers` (`state`) WHERE topic_ids is not null;