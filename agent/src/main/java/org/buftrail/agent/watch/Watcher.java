package org.buftrail.agent.watch;

import org.buftrail.model.Snapshot;

/** An observer that looks at the flows now and then. Called on one thread. */
public interface Watcher {
  /** Whether anybody wants to know. No snapshot is taken for those who do not. */
  default boolean isWanted() {
    return true;
  }

  /**
   * Looks at everything since the start.
   *
   * @throws Exception what went wrong, which is logged once and does not end the watch
   */
  void look(Snapshot now) throws Exception;

  /** One that does something else, for which no snapshot is needed. */
  static Watcher calling(Runnable action) {
    return new Watcher() {
      @Override
      public boolean isWanted() {
        action.run();
        return false;
      }

      @Override
      public void look(Snapshot now) {
        // Never called.
      }
    };
  }
}
