package org.buftrail.benchmarks.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A way to run a benchmark: with or without the agent, or with Netty's own detector instead. */
public enum Arm {
  NONE("", "disabled"),
  ALL("include=org.buftrail.benchmarks.flow", "disabled"),
  DIRECT("include=org.buftrail.benchmarks.flow;trackDirectOnly=true", "disabled"),
  SAMPLED("include=org.buftrail.benchmarks.flow;sample=" + Arm.ONE_IN, "disabled"),
  OFF("include=org.buftrail.benchmarks.flow;delay=1d", "disabled"),
  SIMPLE("", "simple"),
  ADVANCED("", "advanced"),
  PARANOID("", "paranoid");

  static final int ONE_IN = 128;

  private final String agentOptions;
  private final String detectorLevel;

  Arm(String agentOptions, String detectorLevel) {
    this.agentOptions = agentOptions;
    this.detectorLevel = detectorLevel;
  }

  /** How tables and files name it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean hasAgent() {
    return !agentOptions.isEmpty();
  }

  boolean isDirectOnly() {
    return this == DIRECT;
  }

  /** Whether the agent follows anything. */
  boolean isFollowing() {
    return hasAgent() && this != OFF;
  }

  int sampling() {
    return this == SAMPLED ? ONE_IN : 1;
  }

  String detectorLevel() {
    return detectorLevel;
  }

  /** Whether it differs from {@link #NONE} by Netty's detector alone. */
  boolean isDetector() {
    return this != NONE && !hasAgent();
  }

  /** What the JVM is started with beside the user's own options. */
  List<String> jvmArgs(Path agent) {
    List<String> args = new ArrayList<>();
    args.add("-Dio.netty.leakDetection.level=" + detectorLevel);
    if (hasAgent()) {
      args.add("-javaagent:" + agent + "=" + agentOptions);
    }
    return args;
  }
}
