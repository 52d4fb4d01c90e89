ALTER TABLE `enquiry_mails` ADD `is_cancellation` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `enquiry_mails` ADD `calendar_event` text;