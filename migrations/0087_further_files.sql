ALTER TABLE `binned_episodes` ADD `alternates` text;--> statement-breakpoint
ALTER TABLE `binned_episodes` ADD `discussions` text;--> statement-breakpoint
ALTER TABLE `episodes` ADD `alternates` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `episodes` ADD `discussions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- Episodes in the bin are restored into columns that are not null.
UPDATE `binned_episodes` SET `alternates` = '[]', `discussions` = '[]';
