-- Each row is indexed once more, with simplified characters and hiragana. One that is listed already stays so.
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'document_search', id, 1 FROM search_documents WHERE id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'moment_search', id, 1 FROM episode_passages WHERE id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'article_search', id, 1 FROM articles WHERE id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'episode_search', id, 1 FROM episodes WHERE id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'press_search', id, 1 FROM press_items WHERE id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'file_search', number, 1 FROM files WHERE number IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO search_pending (target, row, is_bulk)
	SELECT 'owner_search', rowid, 1 FROM owner_search WHERE rowid IS NOT NULL;
