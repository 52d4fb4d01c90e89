ALTER TABLE `members` ADD `feed_seed` text;--> statement-breakpoint
ALTER TABLE `members` ADD `feed_hash` text;--> statement-breakpoint
ALTER TABLE `members` ADD `feed_made_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `members_feed_hash` ON `members` (`feed_hash`);