ALTER TABLE `enquiry_mails` ADD `recording_minutes` integer;--> statement-breakpoint
ALTER TABLE `enquiry_mails` ADD `recording_place` text;