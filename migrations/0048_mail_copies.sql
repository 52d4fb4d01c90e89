ALTER TABLE `files` ADD `mail_copy` text;--> statement-breakpoint
ALTER TABLE `files` ADD `is_animated` integer;