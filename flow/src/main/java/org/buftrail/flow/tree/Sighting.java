package org.buftrail.flow.tree;

import java.util.Objects;
import org.buftrail.flow.base.CallPlace;
import org.jspecify.annotations.Nullable;

/** What looks at the stack saw of a flow. Immutable; equal by what was seen. */
public final class Sighting {
  /** Where the flow began; null where nobody looked then. */
  final @Nullable CallPlace asked;

  /** Where it was retained last, or derived; null where it was not. */
  final @Nullable CallPlace retained;

  Sighting(@Nullable CallPlace asked, @Nullable CallPlace retained) {
    this.asked = asked;
    this.retained = retained;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof Sighting
        && Objects.equals(asked, ((Sighting) o).asked)
        && Objects.equals(retained, ((Sighting) o).retained);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(asked) * 31 + Objects.hashCode(retained);
  }
}
