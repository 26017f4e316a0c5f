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

  Sighting(
      int looks,
      @Nullable CallPlace asked,
      @Nullable CallPlace retained,
      @Nullable CallPlace handed,
      @Nullable CallPlace released) {
    this.looks = looks;
    this.asked = asked;
    this.retained = retained;
    this.handed = handed;
    this.released = released;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof Sighting
        && looks == ((Sighting) o).looks
        && Objects.equals(asked, ((Sighting) o).asked)
        && Objects.equals(retained, ((Sighting) o).retained)
        && Objects.equals(handed, ((Sighting) o).handed)
        && Objects.equals(released, ((Sighting) o).released);
  }

  @Override
  public int hashCode() {
    return Objects.hash(looks, asked, retained, handed, released);
  }
}
