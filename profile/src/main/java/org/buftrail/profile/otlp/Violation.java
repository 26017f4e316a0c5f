package org.buftrail.profile.otlp;

/** One thing that is wrong with a message, and where. Immutable. */
public final class Violation {
  private final String place;
  private final String message;

  Violation(String place, String message) {
    this.place = place;
    this.message = message;
  }

  /**
   * Where, in the names of the .proto file, such as {@code profiles[0].samples[12].stack_index}.
   */
  public String place() {
    return place;
  }

  /** What is wrong there, in one line. */
  public String message() {
    return message;
  }

  /** Place and message in one line. */
  @Override
  public String toString() {
    return place.isEmpty() ? message : place + ": " + message;
  }
}
