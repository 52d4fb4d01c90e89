CREATE TABLE `articles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`excerpt` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer,
	`scheduled_for` integer,
	`category_id` integer,
	`tags` text NOT NULL,
	`image_file_id` text,
	`image_alt` text NOT NULL,
	`meta_title` text NOT NULL,
	`meta_description` text NOT NULL,
	`meta_keywords` text NOT NULL,
	`reading_minutes` integer NOT NULL,
	`view_count` integer DEFAULT 0 NOT NULL,
	`source` text NOT NULL,
	`source_url` text,
	`engagement` text,
	`original_published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`content` text NOT NULL,
	`content_html` text NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug` ON `articles` (`slug`);--> statement-breakpoint
CREATE INDEX `articles_published` ON `articles` (`status`,`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `articles_due` ON `articles` (`status`,`scheduled_for`);--> statement-breakpoint
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`color` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug` ON `categories` (`slug`);--> statement-breakpoint
CREATE TABLE `campaigns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`reference` text NOT NULL,
	`embed_url` text NOT NULL,
	`status` text NOT NULL,
	`category` text NOT NULL,
	`sort_order` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `campaigns_shown` ON `campaigns` (`status`,`sort_order`,`id`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`status` text NOT NULL,
	`source` text NOT NULL,
	`subscribed_at` integer NOT NULL,
	`consent` text NOT NULL,
	`verified_at` integer,
	`unsubscribed_at` integer,
	`stamp` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` (`email`);--> statement-breakpoint
CREATE INDEX `subscribers_newest` ON `subscribers` (`subscribed_at`,`id`);--> statement-breakpoint
CREATE TABLE `pages` (
	`slug` text PRIMARY KEY NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`content` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `press_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`outlet` text NOT NULL,
	`date` integer NOT NULL,
	`media_type` text NOT NULL,
	`link` text,
	`published` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`content` text NOT NULL,
	`content_html` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `press_items_shown` ON `press_items` (`type`,`published`,`date`,`id`);--> statement-breakpoint
CREATE TABLE `social_posts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`platform` text NOT NULL,
	`author` text NOT NULL,
	`content` text NOT NULL,
	`date` integer NOT NULL,
	`likes` integer NOT NULL,
	`comments` integer NOT NULL,
	`shares` integer NOT NULL,
	`url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `social_posts_newest` ON `social_posts` (`date`,`id`);--> statement-breakpoint
CREATE TABLE `engagements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`date` integer,
	`venue` text NOT NULL,
	`location` text NOT NULL,
	`audience_size` integer,
	`status` text NOT NULL,
	`contact_email` text NOT NULL,
	`contact_phone` text NOT NULL,
	`fee` real,
	`notes` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `engagements_shown` ON `engagements` (`status`,`date`,`id`);--> statement-breakpoint
CREATE TABLE `ventures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`url` text,
	`image_file_id` text,
	`icon` text NOT NULL,
	`active` integer NOT NULL,
	`sort_order` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ventures_shown` ON `ventures` (`active`,`sort_order`,`id`);--> statement-breakpoint
ALTER TABLE `files` ADD `variants` text;