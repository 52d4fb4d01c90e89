CREATE TABLE `mail_events` (
	`id` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `letter_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`letter_id` integer NOT NULL,
	`subscriber_id` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`claim` text,
	`answer` text,
	`provider_id` text,
	`feedback` text,
	`settled_at` integer,
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `letter_deliveries_once` ON `letter_deliveries` (`subscriber_id`,`letter_id`);--> statement-breakpoint
CREATE INDEX `letter_deliveries_by_status` ON `letter_deliveries` (`letter_id`,`status`,`not_before`);--> statement-breakpoint
CREATE INDEX `letter_deliveries_feedback` ON `letter_deliveries` (`letter_id`,`feedback`,`id`) WHERE feedback is not null;--> statement-breakpoint
CREATE INDEX `letter_deliveries_by_provider` ON `letter_deliveries` (`provider_id`) WHERE provider_id is not null;--> statement-breakpoint
CREATE TABLE `letter_links` (
	`letter_id` integer NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`presses` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`letter_id`, `position`),
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subject` text NOT NULL,
	`preheader` text NOT NULL,
	`status` text NOT NULL,
	`segment` text NOT NULL,
	`scheduled_for` integer,
	`started_at` integer,
	`finished_at` integer,
	`paused_reason` text,
	`is_public` integer NOT NULL,
	`origin_kind` text,
	`origin_id` integer,
	`recipients` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`uncertain` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`complained` integer DEFAULT 0 NOT NULL,
	`unsubscribed` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`embedded_file_ids` text NOT NULL,
	`content` text NOT NULL,
	`content_html` text NOT NULL,
	`mail` text
);
--> statement-breakpoint
CREATE INDEX `letters_by_status` ON `letters` (`status`,`scheduled_for`);--> statement-breakpoint
CREATE INDEX `letters_by_origin` ON `letters` (`origin_kind`,`origin_id`) WHERE origin_kind is not null;--> statement-breakpoint
CREATE INDEX `letters_public` ON `letters` (`started_at`) WHERE is_public = 1 and started_at is not null;--> statement-breakpoint
CREATE TABLE `sending_days` (
	`day` text PRIMARY KEY NOT NULL,
	`letters` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `subscribers` ADD `paused_until` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `soft_bounces` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `blocked_at` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `blocked_reason` text;--> statement-breakpoint
CREATE INDEX `subscribers_by_status` ON `subscribers` (`status`,`subscribed_at`);--> statement-breakpoint
CREATE INDEX `subscribers_by_source` ON `subscribers` (`source`,`subscribed_at`);--> statement-breakpoint
-- The owner's search for subscribers.
CREATE VIRTUAL TABLE subscriber_search USING fts5(
	email, content = '', contentless_delete = 1, tokenize = 'trigram'
);
--> statement-breakpoint
INSERT INTO subscriber_search (rowid, email) SELECT rowid, email FROM subscribers;
--> statement-breakpoint
CREATE TRIGGER subscriber_search_insert AFTER INSERT ON subscribers BEGIN
	INSERT INTO subscriber_search (rowid, email) VALUES (new.rowid, new.email);
END;
--> statement-breakpoint
CREATE TRIGGER subscriber_search_delete AFTER DELETE ON subscribers BEGIN
	DELETE FROM subscriber_search WHERE rowid = old.rowid;
END;
