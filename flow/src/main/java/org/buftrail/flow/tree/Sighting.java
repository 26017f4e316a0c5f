package org.buftrail.flow.tree;

import java.util.Objects;
import org.buftrail.flow.base.CallPlace;
import org.jspecify.annotations.Nullable;

/** What looks at the stack saw of a flow. Immutable; equal by what was seen. */
public final class Sighting {
  /** How many looks at the stack it took. */
  final int looks;

  /** Where the flow began; null where nobody looked then. */
  final @Nullable CallPlace asked;

  /** Where it was retained last, or derived; null where it was not. */
  final @Nullable CallPlace retained;

  /** The last receiver; null where that is not known. */
  final @Nullable CallPlace handed;

  /** Where it was released; null while it is live, and where nobody looked then. */
  final @Nullable CallPlace released;

  /** The type of the message that had it last; null where none was seen. */
  final @Nullable CallPlace message;

  Sighting(
      int looks,
      @Nullable CallPlace asked,
      @Nullable CallPlace retained,
      @Nullable CallPlace handed,
      @Nullable CallPlace released,
      @Nullable CallPlace message) {
    this.looks = looks;
    this.asked = asked;
    this.retained = retained;
    this.handed = handed;
    this.released = released;
    this.message = message;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof Sighting
        && looks == ((Sighting) o).looks
        && Objects.equals(asked, ((Sighting) o).asked)
        && Objects.equals(retained, ((Sighting) o).retained)
        && Objects.equals(handed, ((Sighting) o).handed)
        && Objects.equals(released, ((Sighting) o).released)
        && Objects.equals(message, ((Sighting) o).message);
  }

  @Override
  public int hashCode() {
    return Objects.hash(looks, asked, retained, handed, released, message);
  }
}
