package org.buftrail.profile.otlp;

/** One thing that is wrong with a message, or could be better, and where. Immutable. */
public final class Violation {
  private final String place;
  private final String message;
  private final boolean advice;

  Violation(String place, String message, boolean advice) {
    this.place = place;
    this.message = message;
    this.advice = advice;
  }

  /**
   * Where, in the names of the .proto file, such as {@code profiles[0].samples[12].stack_index}.
   */
  public String place() {
    return place;
  }

  /** The fault, in one line. */
  public String message() {
    return message;
  }

  /**
   * Whether the specification recommends it only, with SHOULD, or receivers are known to ask for it
   * and the specification does not.
   */
  public boolean isAdvice() {
    return advice;
  }

  /** Place and message in one line. */
  @Override
  public String toString() {
    String said = advice ? "advice: " + message : message;
    return place.isEmpty() ? said : place + ": " + said;
  }
}
