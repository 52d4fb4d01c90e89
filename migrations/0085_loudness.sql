ALTER TABLE `binned_file_peaks` ADD `loudness` text;--> statement-breakpoint
ALTER TABLE `file_peaks` ADD `loudness` text;