CREATE VIEW stacks AS
SELECT
  stack_id,
  list(struct_pack(function := function, file := file, line := line, type := type, module := module)
       ORDER BY depth) AS frames
FROM frames
GROUP BY stack_id;

CREATE VIEW flows AS
SELECT
  recording, service, host, process, time,
  coalesce(tags['buftrail.flow.state'], replace(kind, 'flow_', '')) AS state,
  value AS count,
  second_value AS bytes,
  coalesce(
    tags['buftrail.flow.memory'],
    CASE tags['buftrail.flow.direct'] WHEN 'true' THEN 'direct' WHEN 'false' THEN 'heap' END
  ) AS memory,
  stack_id,
  path
FROM samples
JOIN (
  SELECT stack_id, string_agg(function, ' > ' ORDER BY depth DESC) AS path
  FROM frames
  GROUP BY stack_id
) USING (stack_id)
WHERE kind IN ('flow_leaked', 'flow_live', 'flow_misused', 'live', 'leaked', 'dropped');

CREATE VIEW buffer_leaks AS
SELECT service, path, memory, sum(count)::BIGINT AS leaked, sum(bytes)::BIGINT AS bytes
FROM flows
WHERE state = 'leaked'
GROUP BY ALL
ORDER BY bytes DESC, path;

CREATE VIEW hot_methods AS
WITH hot AS (
  SELECT kind, stack_id, sum(value) AS value
  FROM samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), methods AS (
  SELECT stack_id, function, min(depth) AS depth FROM frames GROUP BY ALL
)
SELECT
  kind,
  function AS method,
  coalesce(sum(value) FILTER (depth = 0), 0)::BIGINT AS self,
  sum(value)::BIGINT AS total,
  round(100 * self / sum(self) OVER (PARTITION BY kind), 1) AS self_percent
FROM hot
JOIN methods USING (stack_id)
GROUP BY kind, function
ORDER BY kind, self DESC, total DESC, method;

CREATE VIEW allocation_by_class AS
SELECT
  kind,
  tags['jvm.class.name'] AS class,
  sum(value)::BIGINT AS samples,
  sum(second_value)::BIGINT AS bytes,
  round(100 * bytes / sum(bytes) OVER (PARTITION BY kind), 1) AS percent
FROM samples
WHERE kind IN ('alloc', 'alloc_sampled', 'alloc_datadog')
GROUP BY kind, class
ORDER BY kind, bytes DESC, class;

CREATE VIEW lock_contention AS
SELECT
  kind,
  tags['jvm.lock.class.name'] AS class,
  sum(value)::BIGINT AS times,
  sum(second_value)::BIGINT AS nanos,
  max(second_value) AS longest
FROM samples
WHERE kind IN ('lock_enter', 'lock_wait', 'lock_park', 'lock_native')
GROUP BY kind, class
ORDER BY kind, nanos DESC, class;

CREATE VIEW gc_pauses AS
SELECT recording, service, host, process, time, function AS phase, second_value AS nanos
FROM samples
JOIN frames USING (stack_id)
WHERE kind = 'gc_pause'
ORDER BY nanos DESC, time;

CREATE VIEW top_by_service AS
WITH hot AS (
  SELECT service, kind, stack_id, sum(value) AS value
  FROM samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), self AS (
  SELECT service, kind, function AS method, sum(value)::BIGINT AS self
  FROM hot
  JOIN frames USING (stack_id)
  WHERE depth = 0
  GROUP BY ALL
)
SELECT
  service, kind, method, self,
  round(100 * self / sum(self) OVER (PARTITION BY service, kind), 1) AS percent
FROM self
QUALIFY row_number() OVER (PARTITION BY service, kind ORDER BY self DESC, method) <= 10
ORDER BY service, kind, self DESC, method;

CREATE VIEW changes_by_hour AS
WITH hot AS (
  SELECT
    service, kind, date_trunc('hour', time::TIMESTAMP) AS hour, stack_id,
    count(*) AS samples,
    sum(value) AS value
  FROM samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), self AS (
  SELECT service, kind, hour, function AS method, sum(samples) AS samples, sum(value) AS self
  FROM hot
  JOIN frames USING (stack_id)
  WHERE depth = 0
  GROUP BY ALL
), shares AS (
  SELECT *, 100 * self / nullif(sum(self) OVER (PARTITION BY service, kind, hour), 0) AS share
  FROM self
), hours AS (
  -- Shares of few samples are chance.
  SELECT service, kind, hour
  FROM self
  GROUP BY service, kind, hour
  HAVING sum(samples) >= 100
), pairs AS (
  SELECT *, lag(hour) OVER (PARTITION BY service, kind ORDER BY hour) AS before
  FROM hours
), sides AS (
  -- Of both hours: a method may be in one of them alone.
  SELECT *, unnest([before, hour]) AS side
  FROM pairs
  WHERE before IS NOT NULL
)
SELECT
  sides.service, sides.kind, sides.hour, sides.before, method,
  coalesce(sum(self) FILTER (side = sides.hour), 0)::BIGINT AS self,
  round(coalesce(sum(share) FILTER (side = before), 0), 1) AS percent_before,
  round(coalesce(sum(share) FILTER (side = sides.hour), 0), 1) AS percent,
  round(
    coalesce(sum(share) FILTER (side = sides.hour), 0)
      - coalesce(sum(share) FILTER (side = before), 0),
    1) AS change
FROM sides
JOIN shares
  ON shares.service IS NOT DISTINCT FROM sides.service
  AND shares.kind = sides.kind AND shares.hour = side
GROUP BY sides.service, sides.kind, sides.hour, sides.before, method
ORDER BY change DESC, 6 DESC, sides.service, sides.hour, method;

CREATE VIEW span_time AS
SELECT
  service,
  coalesce(function, tags['profiler.span.tag'], tags['span_name']) AS span_name,
  coalesce(sum(value) FILTER (kind = 'span'), 0)::BIGINT AS spans,
  coalesce(sum(second_value) FILTER (kind = 'span'), 0)::BIGINT AS nanos,
  max(second_value) FILTER (kind = 'span') AS longest,
  coalesce(sum(value) FILTER (kind IN ('cpu', 'cpu_datadog')), 0)::BIGINT AS cpu_samples
FROM samples
LEFT JOIN frames ON samples.kind = 'span' AND samples.stack_id = frames.stack_id
WHERE kind IN ('span', 'cpu', 'cpu_datadog')
  AND (kind = 'span' OR coalesce(tags['profiler.span.tag'], tags['span_name']) IS NOT NULL)
GROUP BY ALL
ORDER BY nanos DESC, cpu_samples DESC, span_name;

CREATE MACRO diff(a, b) AS TABLE
WITH sides AS (
  SELECT
    kind,
    stack_id,
    coalesce(sum(value) FILTER (recording GLOB a OR tags['service.version'] = a), 0) AS before,
    coalesce(sum(value) FILTER (recording GLOB b OR tags['service.version'] = b), 0) AS after
  FROM samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), self AS (
  SELECT kind, function AS method, sum(before)::BIGINT AS before, sum(after)::BIGINT AS after
  FROM sides
  JOIN frames USING (stack_id)
  WHERE depth = 0
  GROUP BY ALL
)
SELECT
  kind, method, before, after,
  round(100 * before / greatest(1, sum(before) OVER (PARTITION BY kind)), 1) AS before_percent,
  round(100 * after / greatest(1, sum(after) OVER (PARTITION BY kind)), 1) AS after_percent,
  round(after_percent - before_percent, 1) AS change
FROM self
WHERE before + after > 0
ORDER BY abs(change) DESC, method;
