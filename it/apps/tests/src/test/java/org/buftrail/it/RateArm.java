package org.buftrail.it;

import java.util.List;

/** A way to run a service: without the agent, or with it as the documents say. */
enum RateArm {
  NONE("no agent", "", "disabled"),
  /** The same once more: what differs from {@link #NONE} is chance. */
  AGAIN("no agent, once more", "", "disabled"),
  SIMPLE("Netty's detector at SIMPLE", "", "simple"),
  OWN("agent without options", "sample=1", "disabled"),
  /** The line of docs/production.md; {@code http} has a port of its own here. */
  RECOMMENDED(
      "the line for production",
      "sample=100;trackDirectOnly=true;snapshotDir=snapshots;alert=liveBytes>512m;http=0",
      "disabled"),
  PAGE("every buffer, the page open", "http=0;httpToken=off", "disabled");

  final String title;
  private final String agent;
  private final String detector;

  RateArm(String title, String agent, String detector) {
    this.title = title;
    this.agent = agent;
    this.detector = detector;
  }

  /** Options of the JVM. */
  List<String> jvmOptions() {
    String level = "-Dio.netty.leakDetection.level=" + detector;
    return agent.isEmpty()
        ? List.of(level)
        : List.of(level, "-javaagent:" + RunningApplication.JAR + "=" + agent);
  }
}
