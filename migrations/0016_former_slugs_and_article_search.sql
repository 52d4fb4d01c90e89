CREATE TABLE `article_former_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`article_id` integer NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `article_former_slugs_by_article` ON `article_former_slugs` (`article_id`);--> statement-breakpoint
CREATE INDEX `articles_by_category` ON `articles` (`category_id`);--> statement-breakpoint
-- The owner's search, of drafts too.
CREATE VIRTUAL TABLE article_search USING fts5(
	title, text, filters, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles;
--> statement-breakpoint
CREATE TRIGGER article_search_insert AFTER INSERT ON articles BEGIN
	INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER article_search_update AFTER UPDATE OF title, excerpt, content_text, status, source, category_id ON articles BEGIN
	DELETE FROM article_search WHERE rowid = old.id;
	INSERT INTO article_search (rowid, title, text, filters)
	SELECT id, title, excerpt || ' ' || content_text,
		'status' || status || ' source' || source || ' category' || coalesce(category_id, 'none')
	FROM articles WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER article_search_delete AFTER DELETE ON articles BEGIN
	DELETE FROM article_search WHERE rowid = old.id;
END;
