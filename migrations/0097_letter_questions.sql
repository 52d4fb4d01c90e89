CREATE TABLE `letter_answers` (
	`letter_id` integer NOT NULL,
	`position` integer NOT NULL,
	`votes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`letter_id`, `position`),
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `binned_letters` ADD `question_closes_at` integer;--> statement-breakpoint
ALTER TABLE `binned_letters` ADD `question` text;--> statement-breakpoint
ALTER TABLE `letter_deliveries` ADD `choice` integer;--> statement-breakpoint
CREATE INDEX `letter_deliveries_chosen` ON `letter_deliveries` (`letter_id`) WHERE choice is not null;--> statement-breakpoint
ALTER TABLE `letters` ADD `question_closes_at` integer;--> statement-breakpoint
ALTER TABLE `letters` ADD `question` text;--> statement-breakpoint
CREATE INDEX `letters_by_question_end` ON `letters` (`question_closes_at`) WHERE question_closes_at is not null;