CREATE INDEX `outbox_by_recipient` ON `outbox` (payload ->> 'to') WHERE payload ->> 'to' is not null;--> statement-breakpoint
CREATE INDEX `outbox_by_reply_to` ON `outbox` (payload ->> '$.replyTo.address') WHERE payload ->> '$.replyTo.address' is not null;--> statement-breakpoint
CREATE INDEX `outbox_by_asker` ON `outbox` (payload ->> 'email') WHERE payload ->> 'email' is not null;--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 8796093022208 + id, subject FROM letters;
--> statement-breakpoint
CREATE TRIGGER owner_search_letters_insert AFTER INSERT ON letters BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (8796093022208 + new.id, new.subject);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_letters_update AFTER UPDATE OF subject ON letters BEGIN
	UPDATE owner_search SET title = new.subject WHERE rowid = 8796093022208 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_letters_delete AFTER DELETE ON letters BEGIN
	DELETE FROM owner_search WHERE rowid = 8796093022208 + old.id;
END;
