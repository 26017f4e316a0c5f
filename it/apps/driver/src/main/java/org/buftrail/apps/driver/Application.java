package org.buftrail.apps.driver;

import java.util.List;

/** What an application can be asked to do. Called by several threads. */
public interface Application {
  /**
   * One request, of a sort that {@code i} chooses; it loses no buffer. Sorts that no other request
   * has used before may come from 60 on.
   *
   * @return the whole answer, the same for the same {@code i}
   */
  String call(int i) throws Exception;

  /** One request that loses exactly one buffer. */
  void lose(int i) throws Exception;

  /** The port that it serves at. */
  default int port() {
    throw new UnsupportedOperationException("it serves nobody but itself");
  }

  /** The answers of all processes that the application consists of, the driven one's first. */
  default List<String> everywhere(Probe probe) throws Exception {
    return List.of(probe.ask());
  }
}
