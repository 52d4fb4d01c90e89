ALTER TABLE `files` ADD `flaw` text;--> statement-breakpoint
ALTER TABLE `files` ADD `stated_seconds` real;--> statement-breakpoint
ALTER TABLE `files` ADD `is_cmyk` integer;