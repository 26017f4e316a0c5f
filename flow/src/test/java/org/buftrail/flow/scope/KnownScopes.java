package org.buftrail.flow.scope;

/** What scopes remember, for tests in other packages. */
public final class KnownScopes {
  private KnownScopes() {}

  /** How many there are of which something is still held, about. */
  public static int known(Scopes scopes) {
    return scopes.known();
  }

  /** How many tasks are remembered. */
  public static int handedTasks(Scopes scopes) {
    return scopes.handedTasks();
  }
}
