package org.buftrail.flow.base;

import java.util.List;
import java.util.Objects;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/** The nearest frames of a stack. Immutable; equal by its frames. */
public final class CallPlace {
  /** The nearest of the application, or null. */
  public final @Nullable Site own;

  /** The nearest of libraries, the nearest first. */
  public final List<Site> library;

  CallPlace(@Nullable Site own, List<Site> library) {
    this.own = own;
    this.library = List.copyOf(library);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof CallPlace
        && Objects.equals(own, ((CallPlace) o).own)
        && library.equals(((CallPlace) o).library);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(own) * 31 + library.hashCode();
  }
}
