CREATE TABLE samples (
  recording VARCHAR,
  service VARCHAR,
  host VARCHAR,
  process BIGINT,
  kind VARCHAR,
  event VARCHAR,
  time TIMESTAMP_NS,
  value BIGINT,
  unit VARCHAR,
  second_value BIGINT,
  second_unit VARCHAR,
  thread VARCHAR,
  state VARCHAR,
  span VARCHAR,
  trace VARCHAR,
  tags MAP(VARCHAR, VARCHAR),
  stack_id BIGINT,
  event_id BIGINT);

CREATE TABLE frames (
  stack_id BIGINT,
  depth INTEGER,
  function VARCHAR,
  file VARCHAR,
  line BIGINT,
  type VARCHAR,
  module VARCHAR);

CREATE TABLE events (
  recording VARCHAR,
  service VARCHAR,
  host VARCHAR,
  process BIGINT,
  event VARCHAR,
  time TIMESTAMP_NS,
  duration BIGINT,
  thread VARCHAR,
  stack_id BIGINT,
  fields MAP(VARCHAR, VARCHAR),
  event_id BIGINT,
  span VARCHAR,
  trace VARCHAR,
  tags MAP(VARCHAR, VARCHAR));
