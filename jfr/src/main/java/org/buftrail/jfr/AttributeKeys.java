package org.buftrail.jfr;

/** Keys of the attributes that samples, locations and the resource get from a recording. */
final class AttributeKeys {
  static final String THREAD_NAME = "thread.name";
  static final String THREAD_ID = "thread.id";
  static final String TRUNCATED = "jfr.stack.truncated";
  static final String LIBRARY = "native.library.name";
  static final String BYTECODE_INDEX = "jvm.bytecode.index";
  static final String SPAN_TAG = "profiler.span.tag";
  static final String PARTIAL = "buftrail.recording.partial";

  private AttributeKeys() {}
}
