-- The titles of everything that the owner edits.
CREATE VIRTUAL TABLE owner_search USING fts5(title, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 1099511627776 + id, title FROM articles;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 2199023255552 + id, title FROM episodes;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 3298534883328 + id, title FROM press_items;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 4398046511104 + id, title FROM campaigns;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 5497558138880 + id, name FROM ventures;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 6597069766656 + id, title FROM engagements;
--> statement-breakpoint
INSERT INTO owner_search (rowid, title) SELECT 7696581394432 + id, name FROM categories;
--> statement-breakpoint
CREATE TRIGGER owner_search_articles_insert AFTER INSERT ON articles BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (1099511627776 + new.id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_articles_update AFTER UPDATE OF title ON articles BEGIN
	UPDATE owner_search SET title = new.title WHERE rowid = 1099511627776 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_articles_delete AFTER DELETE ON articles BEGIN
	DELETE FROM owner_search WHERE rowid = 1099511627776 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_insert AFTER INSERT ON episodes BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (2199023255552 + new.id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_update AFTER UPDATE OF title ON episodes BEGIN
	UPDATE owner_search SET title = new.title WHERE rowid = 2199023255552 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_episodes_delete AFTER DELETE ON episodes BEGIN
	DELETE FROM owner_search WHERE rowid = 2199023255552 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_insert AFTER INSERT ON press_items BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (3298534883328 + new.id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_update AFTER UPDATE OF title ON press_items BEGIN
	UPDATE owner_search SET title = new.title WHERE rowid = 3298534883328 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_press_items_delete AFTER DELETE ON press_items BEGIN
	DELETE FROM owner_search WHERE rowid = 3298534883328 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_insert AFTER INSERT ON campaigns BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (4398046511104 + new.id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_update AFTER UPDATE OF title ON campaigns BEGIN
	UPDATE owner_search SET title = new.title WHERE rowid = 4398046511104 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_campaigns_delete AFTER DELETE ON campaigns BEGIN
	DELETE FROM owner_search WHERE rowid = 4398046511104 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_insert AFTER INSERT ON ventures BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (5497558138880 + new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_update AFTER UPDATE OF name ON ventures BEGIN
	UPDATE owner_search SET title = new.name WHERE rowid = 5497558138880 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_ventures_delete AFTER DELETE ON ventures BEGIN
	DELETE FROM owner_search WHERE rowid = 5497558138880 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_insert AFTER INSERT ON engagements BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (6597069766656 + new.id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_update AFTER UPDATE OF title ON engagements BEGIN
	UPDATE owner_search SET title = new.title WHERE rowid = 6597069766656 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_engagements_delete AFTER DELETE ON engagements BEGIN
	DELETE FROM owner_search WHERE rowid = 6597069766656 + old.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_categories_insert AFTER INSERT ON categories BEGIN
	INSERT INTO owner_search (rowid, title) VALUES (7696581394432 + new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_categories_update AFTER UPDATE OF name ON categories BEGIN
	UPDATE owner_search SET title = new.name WHERE rowid = 7696581394432 + new.id;
END;
--> statement-breakpoint
CREATE TRIGGER owner_search_categories_delete AFTER DELETE ON categories BEGIN
	DELETE FROM owner_search WHERE rowid = 7696581394432 + old.id;
END;
