ALTER TABLE `campaigns` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_draft_key` ON `campaigns` (`draft_key`);--> statement-breakpoint
ALTER TABLE `press_items` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `press_items_draft_key` ON `press_items` (`draft_key`);--> statement-breakpoint
ALTER TABLE `social_posts` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `social_posts_draft_key` ON `social_posts` (`draft_key`);--> statement-breakpoint
ALTER TABLE `engagements` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `engagements_draft_key` ON `engagements` (`draft_key`);--> statement-breakpoint
ALTER TABLE `ventures` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `ventures_draft_key` ON `ventures` (`draft_key`);