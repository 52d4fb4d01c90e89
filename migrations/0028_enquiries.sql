CREATE TABLE `comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content_type` text NOT NULL,
	`content_id` integer NOT NULL,
	`parent_id` integer,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`text` text NOT NULL,
	`status` text NOT NULL,
	`spam_reason` text DEFAULT '' NOT NULL,
	`is_owner` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `comments_shown` ON `comments` (`content_type`,`content_id`,`status`,`parent_id`,`id`);--> statement-breakpoint
CREATE INDEX `comments_by_status` ON `comments` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `comments_by_email` ON `comments` (`email`);--> statement-breakpoint
CREATE INDEX `comments_by_age` ON `comments` (`created_at`);--> statement-breakpoint
CREATE TABLE `enquiries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`title` text NOT NULL,
	`fields` text NOT NULL,
	`digest` text NOT NULL,
	`confirmed_at` integer,
	`is_spam` integer DEFAULT false NOT NULL,
	`spam_reason` text DEFAULT '' NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`engagement_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`box` text GENERATED ALWAYS AS (case when confirmed_at is null then 'unconfirmed' when is_spam then 'spam' else status end) VIRTUAL
);
--> statement-breakpoint
CREATE INDEX `enquiries_by_box` ON `enquiries` (`kind`,`box`,`id`);--> statement-breakpoint
CREATE INDEX `enquiries_by_kind` ON `enquiries` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `enquiries_by_email` ON `enquiries` (`email`);--> statement-breakpoint
CREATE INDEX `enquiries_by_digest` ON `enquiries` (`digest`);--> statement-breakpoint
CREATE INDEX `enquiries_by_age` ON `enquiries` (`created_at`);--> statement-breakpoint
CREATE TABLE `enquiry_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`enquiry_id` integer NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`sent_by` text NOT NULL,
	`sent_at` integer NOT NULL,
	`outbox_id` text NOT NULL,
	FOREIGN KEY (`enquiry_id`) REFERENCES `enquiries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `enquiry_mails_by_enquiry` ON `enquiry_mails` (`enquiry_id`,`id`);