package org.buftrail.it.states;

/**
 * A place where somebody can see what the agent knows.
 *
 * @param title what a row of the document is called
 * @param isLate whether it is refreshed by itself after a while, and not when it is read
 */
record Surface(String title, boolean isLate, Reader reader) {
  /** Reads it as a user would. */
  interface Reader {
    Told read(Scene scene) throws Exception;
  }

  /** One that tells what is, whenever it is read. */
  static Surface of(String title, Reader reader) {
    return new Surface(title, false, reader);
  }

  /** One that is behind for a moment. */
  static Surface late(String title, Reader reader) {
    return new Surface(title, true, reader);
  }
}
