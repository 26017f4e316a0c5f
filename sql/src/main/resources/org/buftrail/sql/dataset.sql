CREATE VIEW samples AS
SELECT * EXCLUDE (day, service), nullif(service, 'unknown') AS service
FROM read_parquet(getvariable('samples_files'), hive_partitioning = true, hive_types_autocast = false);

CREATE VIEW frames AS
SELECT DISTINCT * FROM read_parquet(getvariable('frames_files'));
