package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Exceptions and errors where they were constructed. */
final class Exceptions {
  private static final ValueType COUNT = ValueType.of("exceptions", "count");

  static final ProfileType CONSTRUCTED =
      new ProfileType("exceptions", Kind.EXCEPTIONS, COUNT, null, COUNT, 1);

  static final ProfileType ERRORS =
      new ProfileType("errors", Kind.EXCEPTIONS, COUNT, null, ValueType.of("errors", "count"), 1);

  private Exceptions() {}

  static List<EventKind> kinds() {
    // The JDK records an error as an exception too.
    return List.of(
        new EventKind("jdk.JavaExceptionThrow")
            .thread("eventThread")
            .attribute("thrownClass", Keys.EXCEPTION_TYPE)
            .to(CONSTRUCTED, Value.ONE),
        new EventKind("jdk.JavaErrorThrow")
            .thread("eventThread")
            .attribute("thrownClass", Keys.EXCEPTION_TYPE)
            .to(ERRORS, Value.ONE));
  }
}
