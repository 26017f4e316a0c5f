package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import jdk.jfr.consumer.RecordedEvent;

/** What the values of each profile are by the JDK's own reader. */
final class JdkSums {
  /** How a value of a profile follows from an event of one type. */
  record Source(String event, String by, ToLongFunction<RecordedEvent> value) {}

  static final String TOTAL = "";

  private static final Map<String, List<Source>> SOURCES = sources();

  private JdkSums() {}

  private static ToLongFunction<RecordedEvent> field(String name) {
    return event -> event.getLong(name);
  }

  private static ToLongFunction<RecordedEvent> weighted(String field) {
    return event -> (long) (event.getLong(field) * event.getFloat("weight"));
  }

  private static Map<String, List<Source>> sources() {
    Map<String, List<Source>> all = new TreeMap<>();
    String thread = "eventThread";
    add(all, "cpu samples", "jdk.ExecutionSample", "sampledThread", JdkSums::one);
    add(all, "native samples", "jdk.NativeMethodSample", "sampledThread", JdkSums::one);
    add(
        all,
        "cpu_time cpu",
        "jdk.CPUTimeSample",
        thread,
        event -> event.getDuration("samplingPeriod").toNanos());
    add(all, "cpu_datadog samples", "datadog.ExecutionSample", thread, JdkSums::weight);
    add(all, "wall samples", "profiler.WallClockSample", "sampledThread", field("samples"));
    add(all, "wall_datadog samples", "datadog.MethodSample", thread, field("weight"));
    String inside = "jdk.ObjectAllocationInNewTLAB";
    String outside = "jdk.ObjectAllocationOutsideTLAB";
    pair(all, "alloc allocated", inside, thread, JdkSums::one, field("tlabSize"));
    pair(all, "alloc allocated", outside, thread, JdkSums::one, field("allocationSize"));
    pair(
        all,
        "alloc_sampled allocated",
        "jdk.ObjectAllocationSample",
        thread,
        JdkSums::one,
        field("weight"));
    pair(
        all,
        "alloc_datadog allocated",
        "datadog.ObjectSample",
        thread,
        JdkSums::weight,
        weighted("size"));
    pair(all, "live inuse", "profiler.LiveObject", thread, JdkSums::one, field("allocationSize"));
    pair(
        all,
        "live_datadog inuse",
        "datadog.HeapLiveObject",
        thread,
        JdkSums::weight,
        weighted("size"));
    pair(all, "live_old inuse", "jdk.OldObjectSample", thread, JdkSums::one, JdkSums::objectSize);
    timed(all, "lock_enter contentions delay", "jdk.JavaMonitorEnter", thread);
    timed(all, "lock_wait contentions delay", "jdk.JavaMonitorWait", thread);
    timed(all, "lock_park contentions delay", "jdk.ThreadPark", thread);
    timed(all, "lock_native contentions delay", "profiler.NativeLock", thread);
    timed(all, "file_force operations io_time", "jdk.FileForce", thread);
    timed(all, "span spans time", "profiler.Span", TOTAL);
    timed(all, "method_trace calls time", "jdk.MethodTrace", TOTAL);
    timed(all, "gc_pause pauses pause_time", "jdk.GCPhasePause", TOTAL);
    timed(all, "vm_operation pauses pause_time", "jdk.ExecuteVMOperation", TOTAL);
    for (String file : List.of("file_read", "file_write")) {
      String event = file.equals("file_read") ? "jdk.FileRead" : "jdk.FileWrite";
      String bytes = file.equals("file_read") ? "bytesRead" : "bytesWritten";
      add(all, file + " operations", event, thread, JdkSums::one);
      add(all, file + " transferred", event, thread, field(bytes));
      add(all, file + "_time io_time", event, thread, JdkSums::duration);
    }
    add(all, "exceptions exceptions", "jdk.JavaExceptionThrow", thread, JdkSums::one);
    add(all, "errors exceptions", "jdk.JavaErrorThrow", thread, JdkSums::one);
    add(all, "nativemem malloc_objects", "profiler.Malloc", thread, JdkSums::one);
    add(all, "nativemem malloc_space", "profiler.Malloc", thread, field("size"));
    add(all, "netty allocated_objects", "io.netty.AllocateBuffer", thread, direct(JdkSums::one));
    add(all, "netty allocated_space", "io.netty.AllocateBuffer", thread, direct(field("size")));
    add(all, "flow_leaked leaked_objects", "buftrail.Leak", TOTAL, field("count"));
    add(all, "flow_leaked leaked_space", "buftrail.Leak", TOTAL, field("bytes"));
    add(all, "flow_misused misuses", "buftrail.DoubleRelease", TOTAL, field("count"));
    add(all, "method_timing calls", "jdk.MethodTiming", TOTAL, field("invocations"));
    add(
        all,
        "method_timing time",
        "jdk.MethodTiming",
        TOTAL,
        event -> event.getLong("invocations") * event.getDuration("average").toNanos());
    return all;
  }

  private static void add(
      Map<String, List<Source>> all,
      String profile,
      String event,
      String by,
      ToLongFunction<RecordedEvent> value) {
    all.computeIfAbsent(profile, p -> new ArrayList<>()).add(new Source(event, by, value));
  }

  private static void pair(
      Map<String, List<Source>> all,
      String profile,
      String event,
      String by,
      ToLongFunction<RecordedEvent> count,
      ToLongFunction<RecordedEvent> bytes) {
    add(all, profile + "_objects", event, by, count);
    add(all, profile + "_space", event, by, bytes);
  }

  private static void timed(
      Map<String, List<Source>> all, String nameAndTypes, String event, String by) {
    String[] words = nameAndTypes.split(" ", -1);
    add(all, words[0] + " " + words[1], event, by, JdkSums::one);
    add(all, words[0] + " " + words[2], event, by, JdkSums::duration);
  }

  private static long weight(RecordedEvent event) {
    return !event.hasField("weight")
        ? 1
        : event.getValue("weight") instanceof Float real
            ? (long) (float) real
            : event.getLong("weight");
  }

  private static long one(RecordedEvent event) {
    return 1;
  }

  private static long duration(RecordedEvent event) {
    return event.getDuration().toNanos();
  }

  private static long objectSize(RecordedEvent event) {
    return event.hasField("objectSize") ? event.getLong("objectSize") : 0;
  }

  private static ToLongFunction<RecordedEvent> direct(ToLongFunction<RecordedEvent> value) {
    return event -> event.getBoolean("direct") ? value.applyAsLong(event) : 0;
  }

  /** The names of the profiles whose values are known, each with its sample type. */
  static Set<String> names() {
    return SOURCES.keySet();
  }

  /** What the values of a profile follow from. */
  static List<Source> sources(String profile) {
    return Objects.requireNonNull(SOURCES.get(profile), profile);
  }

  /** Whether the values of a profile are known by thread and frames. */
  static boolean isByStack(String profile) {
    return !sources(profile).get(0).by.equals(TOTAL);
  }

  /**
   * The sums of a profile by thread and frames, or under {@link #TOTAL} where they are not known.
   */
  static Map<String, Long> of(List<RecordedEvent> events, String profile) {
    Map<String, Long> sums = new TreeMap<>();
    for (Source source : sources(profile)) {
      for (RecordedEvent event : events) {
        if (event.getEventType().getName().equals(source.event)) {
          long value = source.value.applyAsLong(event);
          String key = source.by.equals(TOTAL) ? TOTAL : key(event, source.by);
          sums.merge(key, value, Long::sum);
        }
      }
    }
    sums.values().removeIf(value -> value == 0);
    return sums;
  }

  private static String key(RecordedEvent event, String thread) {
    String declared = event.hasField(thread) ? thread : "sampledThread";
    return Flattened.key(event, event.hasField(declared) ? declared : "eventThread");
  }
}
