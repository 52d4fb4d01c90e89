ALTER TABLE `letters` ADD `draft_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `letters_draft_key` ON `letters` (`draft_key`);