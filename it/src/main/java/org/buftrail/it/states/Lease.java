package org.buftrail.it.states;

/** What must be closed and is no buffer. */
final class Lease implements AutoCloseable {
  @Override
  public void close() {}
}
