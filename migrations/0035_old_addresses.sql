CREATE TABLE `article_old_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`article_id` integer NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `article_old_addresses_by_article` ON `article_old_addresses` (`article_id`);