package org.buftrail.report.http;

/** How much a server takes of the process that it is in. Immutable. */
public final class Limits {
  /** For a page that a few people look at. */
  public static final Limits USUAL = new Limits(64, 4, 5_000, 60_000, 60_000, 2_000);

  private final int connections;
  private final int workers;
  private final int clientMillis;
  private final int bodyMillis;
  private final int workMillis;
  private final int closingMillis;

  /**
   * @param connections that are open at a time, at most
   * @param workers threads that answer what needs work, at most
   * @param clientMillis how long a client may take to send a head, and to take an answer that
   *     needed no work
   * @param bodyMillis how long the body of a request may take to come, if it has one
   * @param workMillis how long an answer that needs work may take, with its way to the client
   * @param closingMillis how long a client may take to close after its answer
   */
  public Limits(
      int connections,
      int workers,
      int clientMillis,
      int bodyMillis,
      int workMillis,
      int closingMillis) {
    this.connections = connections;
    this.workers = workers;
    this.clientMillis = clientMillis;
    this.bodyMillis = bodyMillis;
    this.workMillis = workMillis;
    this.closingMillis = closingMillis;
  }

  int connections() {
    return connections;
  }

  int workers() {
    return workers;
  }

  int clientMillis() {
    return clientMillis;
  }

  int bodyMillis() {
    return bodyMillis;
  }

  int workMillis() {
    return workMillis;
  }

  int closingMillis() {
    return closingMillis;
  }
}
