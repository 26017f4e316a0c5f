package org.buftrail.model;

/** Whose flows a snapshot holds. Immutable; what is not known is empty. */
public final class TrackedProcess {
  private final String name;
  private final long pid;
  private final String host;
  private final long startedAtMillis;
  private final String java;
  private final String options;
  private final String version;

  /**
   * @param name the service, or the program where it has no name
   * @param pid its number on the host
   * @param host where it runs
   * @param startedAtMillis milliseconds since the epoch, or {@link Path#NEVER}
   * @param java the version of its JVM
   * @param options those of the agent, without secrets
   */
  public TrackedProcess(
      String name, long pid, String host, long startedAtMillis, String java, String options) {
    this(name, pid, host, startedAtMillis, java, options, "");
  }

  private TrackedProcess(
      String name,
      long pid,
      String host,
      long startedAtMillis,
      String java,
      String options,
      String version) {
    this.name = name;
    this.pid = pid;
    this.host = host;
    this.startedAtMillis = startedAtMillis;
    this.java = java;
    this.options = options;
    this.version = version;
  }

  /** Returns the same with the version of the service. */
  public TrackedProcess withVersion(String ofService) {
    return new TrackedProcess(name, pid, host, startedAtMillis, java, options, ofService);
  }

  /** The service, or the program where it has no name. */
  public String name() {
    return name;
  }

  /** Its number on the host. */
  public long pid() {
    return pid;
  }

  public String host() {
    return host;
  }

  /** Milliseconds since the epoch, or {@link Path#NEVER}. */
  public long startedAtMillis() {
    return startedAtMillis;
  }

  /** The version of its JVM. */
  public String java() {
    return java;
  }

  /** The version of the service, as its operator states it. */
  public String version() {
    return version;
  }

  /** Those of the agent, without secrets. */
  public String options() {
    return options;
  }
}
