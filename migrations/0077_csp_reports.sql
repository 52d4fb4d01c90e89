CREATE TABLE `csp_reports` (
	`day` text NOT NULL,
	`directive` text NOT NULL,
	`host` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `directive`, `host`)
);
