package org.buftrail.benchmarks.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A way to run a benchmark: with or without the agent, or with Netty's own detector instead. */
public enum Arm {
  NONE("", "disabled"),
  /** The same once more: what differs from {@link #NONE} is chance. */
  AGAIN("", "disabled"),
  /** The agent as it is without options. */
  OWN("sample=1", "disabled"),
  ALL(Arm.INCLUDE, "disabled"),
  /** As {@link #ALL} with the option that costs less. */
  FEWER(Arm.INCLUDE + ";fewerHops=true", "disabled"),
  /** As {@link #ALL} with another agent, such as an earlier one. */
  OTHER(Arm.INCLUDE, "disabled"),
  /** Hops in Netty's own handlers and channels too. */
  HANDLERS(Arm.INCLUDE + ",io.netty.handler,io.netty.channel", "disabled"),
  DIRECT(Arm.INCLUDE + ";trackDirectOnly=true", "disabled"),
  SAMPLED(Arm.INCLUDE + ";sample=" + Arm.ONE_IN, "disabled"),
  OFF(Arm.INCLUDE + ";delay=1d", "disabled"),
  SIMPLE("", "simple"),
  ADVANCED("", "advanced"),
  PARANOID("", "paranoid");

  static final int ONE_IN = 128;
  private static final String INCLUDE =
      "include=org.buftrail.benchmarks.flow,org.buftrail.benchmarks.service," + ManyClasses.PACKAGE;

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
    return this != NONE && this != AGAIN && !hasAgent();
  }

  /**
   * What the JVM is started with beside the user's own options.
   *
   * @param agent the jar for this arm
   */
  List<String> jvmArgs(Path agent) {
    List<String> args = new ArrayList<>();
    args.add("-Dio.netty.leakDetection.level=" + detectorLevel);
    if (hasAgent()) {
      args.add("-javaagent:" + agent + "=" + agentOptions);
    }
    return args;
  }
}
