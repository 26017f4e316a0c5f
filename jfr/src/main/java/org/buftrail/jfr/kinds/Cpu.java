package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/**
 * Threads on a processor. The JDK's samples of threads in native code are mostly idle and stand
 * apart; its CPU-time samples carry the time that each stands for.
 */
final class Cpu {
  private static final ValueType SAMPLES = ValueType.of("samples", "count");
  private static final ValueType CPU = ValueType.of("cpu", "nanoseconds");
  private static final long TEN_MILLIS = 10_000_000;

  static final ProfileType SAMPLED = sampled("cpu");

  /** Datadog's own sampler, which may run beside the JDK's. */
  static final ProfileType DATADOG = sampled("cpu_datadog");

  static final ProfileType NATIVE = sampled("native");

  /** The period has a name of its own, for {@code cpu} has a time of its samples too. */
  static final ProfileType TIME =
      new ProfileType(
          "cpu_time", Kind.CPU, CPU, null, ValueType.of("cpu_time", "nanoseconds"), TEN_MILLIS);

  private Cpu() {}

  private static ProfileType sampled(String name) {
    ValueType period = ValueType.of(name, "nanoseconds");
    return new ProfileType(name, Kind.CPU, SAMPLES, null, period, 2 * TEN_MILLIS);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("jdk.ExecutionSample")
            .thread("sampledThread")
            .attribute("state", Keys.THREAD_STATE)
            .offCpu(Wall.SAMPLED)
            .to(SAMPLED, Value.ONE),
        new EventKind("datadog.ExecutionSample")
            .thread("eventThread")
            .attribute("state", Keys.THREAD_STATE)
            .to(DATADOG, Value.weight("weight")),
        new EventKind("jdk.NativeMethodSample")
            .thread("sampledThread")
            .attribute("state", Keys.THREAD_STATE)
            .to(NATIVE, Value.ONE),
        new EventKind("jdk.CPUTimeSample")
            .thread("eventThread")
            .to(TIME, Value.field("samplingPeriod")));
  }
}
