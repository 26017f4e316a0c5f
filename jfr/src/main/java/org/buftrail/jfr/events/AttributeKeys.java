package org.buftrail.jfr.events;

/** Keys of the attributes that samples, locations and the resource get from a recording. */
public final class AttributeKeys {
  public static final String THREAD_NAME = "thread.name";
  public static final String THREAD_ID = "thread.id";
  public static final String TRUNCATED = "jfr.stack.truncated";
  public static final String LIBRARY = "native.library.name";
  public static final String BYTECODE_INDEX = "jvm.bytecode.index";
  public static final String SPAN_TAG = "profiler.span.tag";
  public static final String SPAN_NAME = "span_name";
  public static final String PROFILE_ID = "profile_id";
  public static final String CONTEXT_ID = "context_id";
  public static final String DATADOG_SPAN = "datadog.span.id";
  public static final String DATADOG_LOCAL_ROOT_SPAN = "datadog.local_root_span.id";
  public static final String PARTIAL = "buftrail.recording.partial";

  private AttributeKeys() {}
}
