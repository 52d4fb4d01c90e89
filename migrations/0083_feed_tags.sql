ALTER TABLE `binned_episodes` ADD `funding` text;--> statement-breakpoint
ALTER TABLE `binned_episodes` ADD `places` text;--> statement-breakpoint
ALTER TABLE `episodes` ADD `funding` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `episodes` ADD `places` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `funding` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `places` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `podroll` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `publisher_url` text;--> statement-breakpoint
ALTER TABLE `shows` ADD `publisher_guid` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shows` ADD `txts` text DEFAULT '[]' NOT NULL;