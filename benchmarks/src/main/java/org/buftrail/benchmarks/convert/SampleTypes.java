package org.buftrail.benchmarks.convert;

/** The types of a recording that holds {@code jdk.ExecutionSample}, as the JVM declares them. */
public final class SampleTypes {
  public static final int LONG = 1;
  public static final int INT = 2;
  public static final int BOOLEAN = 3;
  private static final int BYTE = 4;
  public static final int STRING = 5;
  public static final int THREAD = 20;
  public static final int CLASS = 21;
  public static final int SYMBOL = 22;
  public static final int METHOD = 23;
  public static final int TRACE = 24;
  public static final int FRAME = 25;
  public static final int FRAME_TYPE = 26;
  public static final int STATE = 27;
  public static final int SAMPLE = 100;

  private SampleTypes() {}

  /** The types, to which others may be added. */
  public static MetadataTree tree() {
    MetadataTree metadata = new MetadataTree();
    metadata.type(LONG, "long").type(INT, "int").type(BOOLEAN, "boolean").type(BYTE, "byte");
    metadata.type(STRING, "java.lang.String");
    metadata
        .type(THREAD, "java.lang.Thread")
        .field("osName", STRING)
        .field("osThreadId", LONG)
        .field("javaName", STRING)
        .field("javaThreadId", LONG);
    metadata.simple(SYMBOL, "jdk.types.Symbol").field("string", STRING);
    metadata
        .type(CLASS, "java.lang.Class")
        .field("classLoader", LONG)
        .constant("name", SYMBOL)
        .field("package", LONG)
        .field("modifiers", INT)
        .field("hidden", BOOLEAN);
    metadata
        .type(METHOD, "jdk.types.Method")
        .constant("type", CLASS)
        .constant("name", SYMBOL)
        .constant("descriptor", SYMBOL)
        .field("modifiers", INT)
        .field("hidden", BOOLEAN);
    metadata.simple(FRAME_TYPE, "jdk.types.FrameType").field("description", STRING);
    metadata.simple(STATE, "jdk.types.ThreadState").field("name", STRING);
    metadata
        .type(FRAME, "jdk.types.StackFrame")
        .constant("method", METHOD)
        .field("lineNumber", INT)
        .field("bytecodeIndex", INT)
        .constant("type", FRAME_TYPE);
    metadata.type(TRACE, "jdk.types.StackTrace").field("truncated", BOOLEAN).array("frames", FRAME);
    metadata
        .event(SAMPLE, "jdk.ExecutionSample")
        .field("startTime", LONG)
        .constant("sampledThread", THREAD)
        .constant("stackTrace", TRACE)
        .constant("state", STATE);
    return metadata;
  }
}
