package org.buftrail.jfr;

/** Keys of the attributes that samples, locations and the resource get from a recording. */
final class AttributeKeys {
  static final String THREAD_NAME = "thread.name";
  static final String THREAD_ID = "thread.id";
  static final String TRUNCATED = "jfr.stack.truncated";
  static final String LIBRARY = "native.library.name";
  static final String BYTECODE_INDEX = "jvm.bytecode.index";
  static final String SPAN_TAG = "profiler.span.tag";
  static final String SPAN_NAME = "span_name";
  static final String PROFILE_ID = "profile_id";
  static final String CONTEXT_ID = "context_id";
  static final String DATADOG_SPAN = "datadog.span.id";
  static final String DATADOG_LOCAL_ROOT_SPAN = "datadog.local_root_span.id";
  static final String PARTIAL = "buftrail.recording.partial";

  private AttributeKeys() {}
}
