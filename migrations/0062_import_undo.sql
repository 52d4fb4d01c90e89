ALTER TABLE `imports` ADD `undone` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `undone_at` integer;