-- What follows takes a part of the rows: of a service, a time, threads (a glob), or a tag
-- ('service.version=2'). ${asked} stands for these parameters, and ${passed} for their values.
CREATE MACRO is_asked(
  row_service, row_time, row_thread, row_tags, service, since, until, thread, tag) AS
(service IS NULL OR row_service = service)
  AND (since IS NULL OR row_time >= since::TIMESTAMP_NS)
  AND (until IS NULL OR row_time < until::TIMESTAMP_NS)
  AND (thread IS NULL OR row_thread GLOB thread)
  AND (tag IS NULL OR row_tags[split_part(tag, '=', 1)] = substr(tag, strpos(tag, '=') + 1));

CREATE MACRO samples_of(${asked}) AS TABLE
SELECT *
FROM samples
WHERE is_asked(samples.service, samples.time, samples.thread, samples.tags, service, since, until, thread, tag);

CREATE MACRO events_of(${asked}) AS TABLE
SELECT *
FROM events
WHERE is_asked(events.service, events.time, events.thread, events.tags, service, since, until, thread, tag);

CREATE VIEW stacks AS
SELECT
  stack_id,
  list(struct_pack(function := function, file := file, line := line, type := type, module := module)
       ORDER BY depth) AS frames
FROM frames
GROUP BY stack_id;

CREATE VIEW flows AS
SELECT
  recording, service, tags['service.version'] AS version, host, process, time,
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

CREATE VIEW leaks_by_pod AS
SELECT
  service, version, path, host, process,
  sum(count)::BIGINT AS leaked,
  sum(bytes)::BIGINT AS bytes,
  round(100 * leaked / sum(leaked) OVER (PARTITION BY service, version, path), 1) AS percent,
  count(*) OVER (PARTITION BY service, version, path) AS pods
FROM flows
WHERE state = 'leaked'
GROUP BY service, version, path, host, process
ORDER BY service, version, sum(leaked) OVER (PARTITION BY service, version, path) DESC, path,
  leaked DESC, host, process;

CREATE MACRO hot_methods(${asked}) AS TABLE
WITH hot AS (
  SELECT kind, stack_id, sum(value) AS value
  FROM samples_of(${passed}) AS samples
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
CREATE VIEW hot_methods AS FROM hot_methods();

CREATE MACRO allocation_by_class(${asked}) AS TABLE
SELECT
  kind,
  tags['jvm.class.name'] AS class,
  sum(value)::BIGINT AS samples,
  sum(second_value)::BIGINT AS bytes,
  round(100 * bytes / sum(bytes) OVER (PARTITION BY kind), 1) AS percent
FROM samples_of(${passed}) AS samples
WHERE kind IN ('alloc', 'alloc_sampled', 'alloc_datadog')
GROUP BY kind, class
ORDER BY kind, bytes DESC, class;
CREATE VIEW allocation_by_class AS FROM allocation_by_class();

CREATE MACRO lock_contention(${asked}) AS TABLE
SELECT
  kind,
  tags['jvm.lock.class.name'] AS class,
  sum(value)::BIGINT AS times,
  sum(second_value)::BIGINT AS nanos,
  max(second_value) AS longest
FROM samples_of(${passed}) AS samples
WHERE kind IN ('lock_enter', 'lock_wait', 'lock_park', 'lock_native')
GROUP BY kind, class
ORDER BY kind, nanos DESC, class;
CREATE VIEW lock_contention AS FROM lock_contention();

CREATE MACRO gc_pauses(${asked}) AS TABLE
SELECT
  recording, samples.service, host, process, time, function AS phase, second_value AS nanos
FROM samples_of(${passed}) AS samples
JOIN frames USING (stack_id)
WHERE kind = 'gc_pause'
ORDER BY nanos DESC, time;
CREATE VIEW gc_pauses AS FROM gc_pauses();

CREATE MACRO top_by_service(${asked}) AS TABLE
WITH hot AS (
  SELECT samples.service, kind, stack_id, sum(value) AS value
  FROM samples_of(${passed}) AS samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), self AS (
  SELECT hot.service, kind, function AS method, sum(value)::BIGINT AS self
  FROM hot
  JOIN frames USING (stack_id)
  WHERE depth = 0
  GROUP BY ALL
)
SELECT
  self.service, kind, method, self.self,
  round(100 * self.self / sum(self.self) OVER (PARTITION BY self.service, kind), 1) AS percent
FROM self
QUALIFY
  row_number() OVER (PARTITION BY self.service, kind ORDER BY self.self DESC, method) <= 10
ORDER BY self.service, kind, self.self DESC, method;
CREATE VIEW top_by_service AS FROM top_by_service();

CREATE MACRO changes_by_hour(${asked}) AS TABLE
WITH hot AS (
  SELECT
    samples.service, kind, date_trunc('hour', time::TIMESTAMP) AS hour, stack_id,
    count(*) AS samples,
    sum(value) AS value
  FROM samples_of(${passed}) AS samples
  WHERE kind IN ('cpu', 'cpu_time', 'cpu_datadog')
  GROUP BY ALL
), self AS (
  SELECT hot.service, kind, hour, function AS method, sum(samples) AS samples, sum(value) AS self
  FROM hot
  JOIN frames USING (stack_id)
  WHERE depth = 0
  GROUP BY ALL
), shares AS (
  SELECT
    *, 100 * self / nullif(sum(self) OVER (PARTITION BY self.service, kind, hour), 0) AS share
  FROM self
), hours AS (
  -- Shares of few samples are chance.
  SELECT self.service, kind, hour
  FROM self
  GROUP BY self.service, kind, hour
  HAVING sum(samples) >= 100
), pairs AS (
  SELECT *, lag(hour) OVER (PARTITION BY hours.service, kind ORDER BY hour) AS before
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
CREATE VIEW changes_by_hour AS FROM changes_by_hour();

CREATE MACRO span_time(${asked}) AS TABLE
SELECT
  samples.service,
  coalesce(function, tags['profiler.span.tag'], tags['span_name']) AS span_name,
  coalesce(sum(value) FILTER (kind = 'span'), 0)::BIGINT AS spans,
  coalesce(sum(second_value) FILTER (kind = 'span'), 0)::BIGINT AS nanos,
  max(second_value) FILTER (kind = 'span') AS longest,
  coalesce(sum(value) FILTER (kind IN ('cpu', 'cpu_datadog')), 0)::BIGINT AS cpu_samples
FROM samples_of(${passed}) AS samples
LEFT JOIN frames ON samples.kind = 'span' AND samples.stack_id = frames.stack_id
WHERE kind IN ('span', 'cpu', 'cpu_datadog')
  AND (kind = 'span' OR coalesce(tags['profiler.span.tag'], tags['span_name']) IS NOT NULL)
GROUP BY ALL
ORDER BY nanos DESC, cpu_samples DESC, span_name;
CREATE VIEW span_time AS FROM span_time();

CREATE MACRO io_events(${asked}) AS TABLE
SELECT
  recording, events.service, process, event_id, event, time, events.thread, duration AS nanos,
  coalesce(fields['host'], fields['address']) AS remote_host,
  try_cast(fields['port'] AS INTEGER) AS port,
  fields['path'] AS path,
  try_cast(coalesce(fields['bytesRead'], fields['bytesWritten']) AS BIGINT) AS bytes,
  stack_id
FROM events_of(${passed}) AS events
WHERE event IN (
  'jdk.SocketRead', 'jdk.SocketWrite', 'jdk.SocketConnect',
  'jdk.FileRead', 'jdk.FileWrite', 'jdk.FileForce');
CREATE VIEW io_events AS FROM io_events();

CREATE MACRO slow_hosts(${asked}) AS TABLE
SELECT
  io.service, remote_host, port,
  count(*) FILTER (event = 'jdk.SocketRead') AS reads,
  count(*) FILTER (event = 'jdk.SocketWrite') AS writes,
  sum(bytes)::BIGINT AS bytes,
  sum(nanos)::BIGINT AS nanos,
  max(nanos) AS longest
FROM io_events(${passed}) AS io
WHERE event IN ('jdk.SocketRead', 'jdk.SocketWrite', 'jdk.SocketConnect')
GROUP BY io.service, remote_host, port
ORDER BY nanos DESC, remote_host, port;
CREATE VIEW slow_hosts AS FROM slow_hosts();

CREATE MACRO slow_files(${asked}) AS TABLE
SELECT
  io.service, path,
  count(*) FILTER (event = 'jdk.FileRead') AS reads,
  count(*) FILTER (event = 'jdk.FileWrite') AS writes,
  count(*) FILTER (event = 'jdk.FileForce') AS forces,
  sum(bytes)::BIGINT AS bytes,
  sum(nanos)::BIGINT AS nanos,
  max(nanos) AS longest
FROM io_events(${passed}) AS io
WHERE event IN ('jdk.FileRead', 'jdk.FileWrite', 'jdk.FileForce')
GROUP BY io.service, path
ORDER BY nanos DESC, path;
CREATE VIEW slow_files AS FROM slow_files();

CREATE MACRO lock_events(${asked}) AS TABLE
SELECT
  recording, events.service, process, event_id, event, time, events.thread, duration AS nanos,
  fields['monitorClass'] AS class,
  fields['previousOwner'] AS previous_owner,
  fields['notifier'] AS notifier,
  try_cast(fields['timedOut'] AS BOOLEAN) AS timed_out,
  stack_id
FROM events_of(${passed}) AS events
WHERE event IN ('jdk.JavaMonitorEnter', 'jdk.JavaMonitorWait');
CREATE VIEW lock_events AS FROM lock_events();

CREATE MACRO lock_holders(${asked}) AS TABLE
SELECT
  locks.service, event, class, coalesce(previous_owner, notifier) AS holder,
  count(*) AS times,
  count(*) FILTER (timed_out) AS timed_out,
  sum(nanos)::BIGINT AS nanos,
  max(nanos) AS longest
FROM lock_events(${passed}) AS locks
GROUP BY locks.service, event, class, holder
ORDER BY nanos DESC, event, class, holder;
CREATE VIEW lock_holders AS FROM lock_holders();

-- Direct memory of Netty: the last event of an address says whether it is allocated at the end.
CREATE MACRO netty_memory(${asked}) AS TABLE
SELECT
  recording, events.service, host, process, event_id, time, stack_id,
  fields['allocatorType'] AS allocator,
  fields['pooled'] = 'true' AS pooled,
  try_cast(fields['address'] AS BIGINT) AS address,
  try_cast(coalesce(fields['capacity'], fields['size']) AS BIGINT) AS bytes,
  event LIKE '%Chunk%' AS is_chunk,
  event LIKE '%Allocate%' AND event NOT LIKE '%Reallocate%' AS is_live
FROM events_of(${passed}) AS events
WHERE event IN (
    'io.netty.AllocateChunk', 'io.netty.FreeChunk', 'io.netty.AllocateBuffer',
    'io.netty.FreeBuffer', 'io.netty.ReallocateBuffer',
    'io.netty.AllocateChunkEvent', 'io.netty.FreeChunkEvent', 'io.netty.AllocateBufferEvent',
    'io.netty.FreeBufferEvent', 'io.netty.ReallocateBufferEvent',
    'AllocateChunkEvent', 'FreeChunkEvent', 'AllocateBufferEvent', 'FreeBufferEvent',
    'ReallocateBufferEvent')
  AND fields['direct'] = 'true'
  AND try_cast(fields['address'] AS BIGINT) <> 0
QUALIFY row_number() OVER (
  PARTITION BY recording, process, is_chunk, address ORDER BY time DESC, event_id DESC) = 1;

CREATE MACRO netty_chunks(${asked}) AS TABLE
WITH memory AS (
  SELECT * FROM netty_memory(${passed}) WHERE is_live
)
SELECT
  chunks.recording, chunks.service, chunks.host, chunks.process, chunks.allocator, chunks.pooled,
  chunks.time AS allocated_at,
  chunks.address,
  chunks.bytes,
  count(buffers.address)::BIGINT AS buffers,
  coalesce(sum(buffers.bytes), 0)::BIGINT AS buffer_bytes,
  count(DISTINCT buffers.stack_id)::BIGINT AS holders,
  CASE WHEN count(DISTINCT buffers.stack_id) = 1 THEN min(buffers.stack_id) END AS stack_id
FROM memory AS chunks
LEFT JOIN memory AS buffers
  ON NOT buffers.is_chunk
  AND buffers.recording = chunks.recording
  AND buffers.process IS NOT DISTINCT FROM chunks.process
  AND buffers.address >= chunks.address
  AND buffers.address < chunks.address + chunks.bytes
WHERE chunks.is_chunk
GROUP BY ALL
ORDER BY chunks.bytes DESC, allocated_at, chunks.address;
CREATE VIEW netty_chunks AS FROM netty_chunks();

CREATE MACRO chunk_holders(${asked}) AS TABLE
WITH memory AS (
  SELECT * FROM netty_memory(${passed}) WHERE is_live
), placed AS (
  SELECT
    chunks.recording, chunks.service, chunks.process, chunks.address, chunks.bytes AS chunk_bytes,
    buffers.stack_id, buffers.bytes,
    min(buffers.stack_id) OVER chunk = max(buffers.stack_id) OVER chunk AS alone
  FROM memory AS chunks
  JOIN memory AS buffers
    ON NOT buffers.is_chunk
    AND buffers.recording = chunks.recording
    AND buffers.process IS NOT DISTINCT FROM chunks.process
    AND buffers.address >= chunks.address
    AND buffers.address < chunks.address + chunks.bytes
  WHERE chunks.is_chunk
  WINDOW chunk AS (PARTITION BY chunks.recording, chunks.process, chunks.address)
), by_chunk AS (
  SELECT
    placed.recording, placed.service, placed.process, placed.address, placed.stack_id,
    any_value(chunk_bytes) AS chunk_bytes,
    any_value(alone) AS alone,
    count(*) AS buffers,
    sum(bytes) AS bytes
  FROM placed
  GROUP BY placed.recording, placed.service, placed.process, placed.address, placed.stack_id
)
SELECT
  by_chunk.recording, by_chunk.service, by_chunk.process,
  sum(buffers)::BIGINT AS buffers,
  sum(bytes)::BIGINT AS buffer_bytes,
  count(*)::BIGINT AS chunks,
  sum(chunk_bytes)::BIGINT AS hold,
  coalesce(sum(chunk_bytes) FILTER (alone), 0)::BIGINT AS alone,
  stack_id,
  any_value(paths.path) AS path
FROM by_chunk
LEFT JOIN (
  SELECT stack_id, string_agg(function, ' > ' ORDER BY depth DESC) AS path
  FROM frames
  GROUP BY stack_id
) AS paths USING (stack_id)
GROUP BY by_chunk.recording, by_chunk.service, by_chunk.process, stack_id
ORDER BY alone DESC, hold DESC, path;
CREATE VIEW chunk_holders AS FROM chunk_holders();

CREATE MACRO exception_messages(${asked}) AS TABLE
SELECT
  events.service, fields['thrownClass'] AS class, fields['message'] AS message, count(*) AS times
FROM events_of(${passed}) AS events
WHERE event IN ('jdk.JavaExceptionThrow', 'jdk.JavaErrorThrow')
GROUP BY events.service, class, message
ORDER BY times DESC, class, message;
CREATE VIEW exception_messages AS FROM exception_messages();

CREATE MACRO by_trace(${asked}) AS TABLE
SELECT
  trace, samples.service, kind,
  count(DISTINCT span) AS spans,
  sum(value)::BIGINT AS value, unit,
  sum(second_value)::BIGINT AS second_value, second_unit,
  min(time) AS first, max(time) AS last
FROM samples_of(${passed}) AS samples
WHERE trace IS NOT NULL
GROUP BY trace, samples.service, kind, unit, second_unit
ORDER BY trace, samples.service, kind;
CREATE VIEW by_trace AS FROM by_trace();

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
