ALTER TABLE `log_checks` ADD `faults` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `log_checks` ADD `more` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_checks` ADD `copies` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `log_checks` DROP COLUMN `fault_id`;--> statement-breakpoint
ALTER TABLE `log_checks` DROP COLUMN `fault_is`;