CREATE TABLE `binned_articles` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`slug` text,
	`guid` text,
	`title` text,
	`excerpt` text,
	`status` text,
	`published_at` integer,
	`scheduled_for` integer,
	`category_id` integer,
	`tags` text,
	`image_file_id` text,
	`image_alt` text,
	`image_caption` text,
	`meta_title` text,
	`meta_description` text,
	`meta_keywords` text,
	`reading_minutes` integer,
	`source` text,
	`source_url` text,
	`engagement` text,
	`original_published_at` integer,
	`draft_key` text,
	`created_at` integer,
	`updated_at` integer,
	`embedded_file_ids` text,
	`content` text,
	`content_html` text,
	`content_text` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_articles_by_bin` ON `binned_articles` (`bin_id`);--> statement-breakpoint
CREATE INDEX `binned_articles_by_slug` ON `binned_articles` (`slug`);--> statement-breakpoint
CREATE INDEX `binned_articles_by_guid` ON `binned_articles` (`guid`);--> statement-breakpoint
CREATE TABLE `binned_article_former_slugs` (
	`bin_id` integer NOT NULL,
	`slug` text,
	`article_id` integer,
	`left_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_article_former_slugs_by_bin` ON `binned_article_former_slugs` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_article_old_addresses` (
	`bin_id` integer NOT NULL,
	`address` text,
	`article_id` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_article_old_addresses_by_bin` ON `binned_article_old_addresses` (`bin_id`);--> statement-breakpoint
CREATE TABLE `bin` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`deleted_at` integer NOT NULL,
	`deleted_by` text,
	`file_ids` text NOT NULL,
	`renderer` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bin_key` ON `bin` (`key`);--> statement-breakpoint
CREATE INDEX `bin_by_age` ON `bin` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `erased` (
	`kind` text NOT NULL,
	`item` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `item`)
);
--> statement-breakpoint
CREATE TABLE `binned_comments` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`content_type` text,
	`content_id` integer,
	`parent_id` integer,
	`name` text,
	`email` text,
	`text` text,
	`status` text,
	`spam_reason` text,
	`is_owner` integer,
	`created_at` integer,
	`updated_at` integer,
	`key` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_comments_by_bin` ON `binned_comments` (`bin_id`);--> statement-breakpoint
CREATE INDEX `binned_comments_by_email` ON `binned_comments` (`email`);--> statement-breakpoint
CREATE TABLE `binned_enquiries` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`kind` text,
	`status` text,
	`name` text,
	`email` text,
	`title` text,
	`fields` text,
	`digest` text,
	`confirmed_at` integer,
	`is_spam` integer,
	`spam_reason` text,
	`notes` text,
	`notes_at` integer,
	`engagement_id` integer,
	`episode_id` integer,
	`created_at` integer,
	`updated_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_enquiries_by_bin` ON `binned_enquiries` (`bin_id`);--> statement-breakpoint
CREATE INDEX `binned_enquiries_by_email` ON `binned_enquiries` (`email`);--> statement-breakpoint
CREATE TABLE `binned_enquiry_mails` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`enquiry_id` integer,
	`subject` text,
	`body` text,
	`sent_by` text,
	`sent_at` integer,
	`outbox_id` text,
	`recording_at` integer,
	`recording_minutes` integer,
	`recording_place` text,
	`is_cancellation` integer,
	`calendar_event` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_enquiry_mails_by_bin` ON `binned_enquiry_mails` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_episode_passages` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`episode_id` integer,
	`speakers` text,
	`text` text,
	`cues` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_episode_passages_by_bin` ON `binned_episode_passages` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_episodes` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`slug` text,
	`guid` text,
	`title` text,
	`description` text,
	`status` text,
	`published_at` integer,
	`scheduled_for` integer,
	`season_number` integer,
	`episode_number` integer,
	`episode_type` text,
	`explicit` integer,
	`blocked` integer,
	`duration_seconds` integer,
	`audio_file_id` text,
	`image_file_id` text,
	`image_alt` text,
	`video_url` text,
	`youtube_url` text,
	`spotify_url` text,
	`apple_url` text,
	`chapters` text,
	`people` text,
	`soundbites` text,
	`draft_key` text,
	`created_at` integer,
	`updated_at` integer,
	`embedded_file_ids` text,
	`show_notes` text,
	`show_notes_html` text,
	`transcript` text,
	`cues` text,
	`show_notes_text` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_episodes_by_bin` ON `binned_episodes` (`bin_id`);--> statement-breakpoint
CREATE INDEX `binned_episodes_by_slug` ON `binned_episodes` (`slug`);--> statement-breakpoint
CREATE INDEX `binned_episodes_by_guid` ON `binned_episodes` (`guid`);--> statement-breakpoint
CREATE TABLE `binned_episode_former_audio` (
	`bin_id` integer NOT NULL,
	`file_id` text,
	`episode_id` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_episode_former_audio_by_bin` ON `binned_episode_former_audio` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_episode_former_slugs` (
	`bin_id` integer NOT NULL,
	`slug` text,
	`episode_id` integer,
	`left_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_episode_former_slugs_by_bin` ON `binned_episode_former_slugs` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_episode_old_addresses` (
	`bin_id` integer NOT NULL,
	`address` text,
	`episode_id` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_episode_old_addresses_by_bin` ON `binned_episode_old_addresses` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_file_peaks` (
	`bin_id` integer NOT NULL,
	`id` text,
	`peaks` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_file_peaks_by_bin` ON `binned_file_peaks` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_files` (
	`bin_id` integer NOT NULL,
	`id` text,
	`number` integer,
	`key` text,
	`folder` text,
	`name` text,
	`type` text,
	`size` integer,
	`part_size` integer,
	`status` text,
	`upload_id` text,
	`last_part_at` integer,
	`duration_seconds` real,
	`flaw` text,
	`stated_seconds` real,
	`audio_start` integer,
	`width` integer,
	`height` integer,
	`has_alpha` integer,
	`is_cmyk` integer,
	`variants` text,
	`avif_variants` text,
	`mail_copy` text,
	`is_animated` integer,
	`artwork_file_id` text,
	`chapters` text,
	`chapter_picture_ids` text,
	`tags` text,
	`alt` text,
	`kept_at` integer,
	`unused_at` integer,
	`is_used` integer,
	`created_by` text,
	`created_at` integer,
	`completed_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_files_by_bin` ON `binned_files` (`bin_id`);--> statement-breakpoint
CREATE INDEX `binned_files_by_id` ON `binned_files` (`id`);--> statement-breakpoint
CREATE TABLE `binned_letters` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`subject` text,
	`preheader` text,
	`status` text,
	`segment` text,
	`scheduled_for` integer,
	`started_at` integer,
	`finished_at` integer,
	`paused_reason` text,
	`is_public` integer,
	`origin_kind` text,
	`origin_id` integer,
	`recipients` integer,
	`sent` integer,
	`failed` integer,
	`skipped` integer,
	`uncertain` integer,
	`bounced` integer,
	`complained` integer,
	`unsubscribed` integer,
	`draft_key` text,
	`created_at` integer,
	`updated_at` integer,
	`embedded_file_ids` text,
	`content` text,
	`content_html` text,
	`mail` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_letters_by_bin` ON `binned_letters` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_favorites` (
	`bin_id` integer NOT NULL,
	`listener` text,
	`episode_id` integer,
	`created_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_favorites_by_bin` ON `binned_favorites` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_playlist_items` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`playlist_id` text,
	`episode_id` integer,
	`position` integer,
	`added_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_playlist_items_by_bin` ON `binned_playlist_items` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_progress` (
	`bin_id` integer NOT NULL,
	`listener` text,
	`episode_id` integer,
	`progress_seconds` integer,
	`completed` integer,
	`updated_at` integer,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_progress_by_bin` ON `binned_progress` (`bin_id`);--> statement-breakpoint
CREATE TABLE `binned_press_items` (
	`bin_id` integer NOT NULL,
	`id` integer,
	`type` text,
	`title` text,
	`summary` text,
	`outlet` text,
	`date` integer,
	`media_type` text,
	`link` text,
	`published` integer,
	`draft_key` text,
	`created_at` integer,
	`updated_at` integer,
	`embedded_file_ids` text,
	`content` text,
	`content_html` text,
	`content_text` text,
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `binned_press_items_by_bin` ON `binned_press_items` (`bin_id`);--> statement-breakpoint
CREATE TRIGGER bin_articles_slug_insert BEFORE INSERT ON articles WHEN EXISTS (SELECT 1 FROM binned_articles WHERE slug = new.slug AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: articles.slug');
END;
--> statement-breakpoint
CREATE TRIGGER bin_articles_slug_update BEFORE UPDATE OF slug ON articles WHEN new.slug IS NOT old.slug AND EXISTS (SELECT 1 FROM binned_articles WHERE slug = new.slug AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: articles.slug');
END;
--> statement-breakpoint
CREATE TRIGGER bin_articles_guid_insert BEFORE INSERT ON articles WHEN EXISTS (SELECT 1 FROM binned_articles WHERE guid = new.guid AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: articles.guid');
END;
--> statement-breakpoint
CREATE TRIGGER bin_articles_guid_update BEFORE UPDATE OF guid ON articles WHEN new.guid IS NOT old.guid AND EXISTS (SELECT 1 FROM binned_articles WHERE guid = new.guid AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: articles.guid');
END;
--> statement-breakpoint
CREATE TRIGGER bin_episodes_slug_insert BEFORE INSERT ON episodes WHEN EXISTS (SELECT 1 FROM binned_episodes WHERE slug = new.slug AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: episodes.slug');
END;
--> statement-breakpoint
CREATE TRIGGER bin_episodes_slug_update BEFORE UPDATE OF slug ON episodes WHEN new.slug IS NOT old.slug AND EXISTS (SELECT 1 FROM binned_episodes WHERE slug = new.slug AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: episodes.slug');
END;
--> statement-breakpoint
CREATE TRIGGER bin_episodes_guid_insert BEFORE INSERT ON episodes WHEN EXISTS (SELECT 1 FROM binned_episodes WHERE guid = new.guid AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: episodes.guid');
END;
--> statement-breakpoint
CREATE TRIGGER bin_episodes_guid_update BEFORE UPDATE OF guid ON episodes WHEN new.guid IS NOT old.guid AND EXISTS (SELECT 1 FROM binned_episodes WHERE guid = new.guid AND id <> new.id) BEGIN
	SELECT RAISE(ABORT, 'in the bin: episodes.guid');
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_bin_insert AFTER INSERT ON bin BEGIN
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'bin', CAST(new.key AS TEXT), 0
	FROM json_each(new.file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_bin_update AFTER UPDATE OF file_ids ON bin WHEN old.file_ids IS NOT new.file_ids BEGIN
	DELETE FROM file_uses WHERE kind = 'bin' AND item = CAST(old.key AS TEXT) AND version = 0
	AND file_id NOT IN (SELECT value FROM json_each(new.file_ids) WHERE value IS NOT NULL AND value <> '');
	INSERT INTO file_uses (file_id, kind, item, version)
	SELECT value, 'bin', CAST(new.key AS TEXT), 0
	FROM json_each(new.file_ids) WHERE value IS NOT NULL AND value <> '' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER file_uses_bin_delete AFTER DELETE ON bin BEGIN
	DELETE FROM file_uses WHERE kind = 'bin' AND item = CAST(old.key AS TEXT) AND version = 0;
END;
