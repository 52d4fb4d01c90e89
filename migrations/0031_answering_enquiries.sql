CREATE TABLE `enquiry_counts` (
	`kind` text NOT NULL,
	`box` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`kind`, `box`)
);
--> statement-breakpoint
ALTER TABLE `enquiries` ADD `notes_at` integer;--> statement-breakpoint
ALTER TABLE `enquiries` ADD `episode_id` integer;--> statement-breakpoint
CREATE INDEX `enquiries_listed` ON `enquiries` (`kind`,`id`) WHERE is_spam = 0 and confirmed_at is not null;--> statement-breakpoint
ALTER TABLE `enquiry_mails` ADD `recording_at` integer;--> statement-breakpoint
ALTER TABLE `engagements` ADD `booking_id` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `engagements_booking` ON `engagements` (`booking_id`);--> statement-breakpoint
-- Kept by triggers. A migration that rebuilds `enquiries` takes them with it, and makes them again.
INSERT INTO `enquiry_counts` (`kind`, `box`, `count`) SELECT `kind`, `box`, count(*) FROM `enquiries` GROUP BY `kind`, `box`;
--> statement-breakpoint
CREATE TRIGGER `enquiry_counts_insert` AFTER INSERT ON `enquiries` BEGIN
	INSERT INTO `enquiry_counts` (`kind`, `box`, `count`) VALUES (new.`kind`, new.`box`, 1)
	ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `enquiry_counts_update` AFTER UPDATE ON `enquiries` WHEN old.`box` IS NOT new.`box` OR old.`kind` IS NOT new.`kind` BEGIN
	UPDATE `enquiry_counts` SET `count` = `count` - 1 WHERE `kind` = old.`kind` AND `box` = old.`box`;
	INSERT INTO `enquiry_counts` (`kind`, `box`, `count`) VALUES (new.`kind`, new.`box`, 1)
	ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `enquiry_counts_delete` AFTER DELETE ON `enquiries` BEGIN
	UPDATE `enquiry_counts` SET `count` = `count` - 1 WHERE `kind` = old.`kind` AND `box` = old.`box`;
END;
--> statement-breakpoint
-- The owner's search for enquiries. The kind is indexed, too: a search within one reads nothing of the others.
CREATE VIRTUAL TABLE `enquiry_search` USING fts5(
	kind, name, email, title, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
INSERT INTO `enquiry_search` (rowid, kind, name, email, title) SELECT `id`, `kind`, `name`, `email`, `title` FROM `enquiries`;
--> statement-breakpoint
CREATE TRIGGER `enquiry_search_insert` AFTER INSERT ON `enquiries` BEGIN
	INSERT INTO `enquiry_search` (rowid, kind, name, email, title) VALUES (new.`id`, new.`kind`, new.`name`, new.`email`, new.`title`);
END;
--> statement-breakpoint
CREATE TRIGGER `enquiry_search_update` AFTER UPDATE OF `kind`, `name`, `email`, `title` ON `enquiries` BEGIN
	UPDATE `enquiry_search` SET kind = new.`kind`, name = new.`name`, email = new.`email`, title = new.`title` WHERE rowid = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `enquiry_search_delete` AFTER DELETE ON `enquiries` BEGIN
	DELETE FROM `enquiry_search` WHERE rowid = old.`id`;
END;
