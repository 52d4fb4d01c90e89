ALTER TABLE `binned_episodes` ADD `generated` text;--> statement-breakpoint
ALTER TABLE `episodes` ADD `generated` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `binned_episodes` SET `generated` = '[]';
