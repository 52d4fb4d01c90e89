CREATE TABLE `login_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempts_subject` ON `login_attempts` (`subject`,`at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`full_name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text,
	`is_active` integer NOT NULL,
	`email_verified` integer NOT NULL,
	`stamp` text NOT NULL,
	`password_reset_attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `episodes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`guid` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer,
	`scheduled_for` integer,
	`season_number` integer NOT NULL,
	`episode_number` integer NOT NULL,
	`episode_type` text NOT NULL,
	`explicit` integer NOT NULL,
	`duration_seconds` integer NOT NULL,
	`audio_file_id` text,
	`image_file_id` text,
	`image_alt` text NOT NULL,
	`video_url` text,
	`youtube_url` text,
	`spotify_url` text,
	`apple_url` text,
	`chapters` text NOT NULL,
	`people` text NOT NULL,
	`soundbites` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`show_notes` text NOT NULL,
	`show_notes_html` text NOT NULL,
	`transcript` text NOT NULL,
	`cues` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_slug` ON `episodes` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_guid` ON `episodes` (`guid`);--> statement-breakpoint
CREATE INDEX `episodes_published` ON `episodes` (`status`,`published_at`,`id`,`audio_file_id`);--> statement-breakpoint
CREATE INDEX `episodes_due` ON `episodes` (`status`,`scheduled_for`);--> statement-breakpoint
CREATE TABLE `shows` (
	`id` integer PRIMARY KEY NOT NULL,
	`guid` text NOT NULL,
	`title` text NOT NULL,
	`subtitle` text NOT NULL,
	`description` text NOT NULL,
	`author` text NOT NULL,
	`owner_name` text NOT NULL,
	`owner_email` text NOT NULL,
	`language` text NOT NULL,
	`category` text NOT NULL,
	`subcategory` text NOT NULL,
	`explicit` integer NOT NULL,
	`type` text NOT NULL,
	`copyright` text NOT NULL,
	`artwork_file_id` text,
	`locked` integer NOT NULL,
	`funding_url` text,
	`funding_text` text NOT NULL,
	`update_frequency` text NOT NULL,
	`update_rule` text NOT NULL,
	`apple_verification` text NOT NULL,
	`people` text NOT NULL,
	`feed_changed_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `file_parts` (
	`file_id` text NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`file_id`, `number`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`folder` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`part_size` integer NOT NULL,
	`status` text NOT NULL,
	`upload_id` text,
	`last_part_at` integer,
	`duration_seconds` real,
	`audio_start` integer,
	`width` integer,
	`height` integer,
	`has_alpha` integer,
	`artwork_file_id` text,
	`chapters` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_key` ON `files` (`key`);--> statement-breakpoint
CREATE INDEX `files_unfinished` ON `files` (`created_at`) WHERE status = 'uploading';--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`arrived_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`topic` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`claimed_until` integer,
	`done_at` integer,
	`failed_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`not_before`) WHERE done_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX `outbox_by_topic` ON `outbox` (`topic`,`created_at`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`site` text NOT NULL,
	`demo_loaded_at` integer,
	`updated_at` integer NOT NULL
);
