package org.buftrail.flow.base;

import java.util.List;
import java.util.Objects;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/** The nearest frames of a stack, or what a flow was handed to. Immutable; equal by its frames. */
public final class CallPlace {
  /** The nearest of the application, or null. */
  public final @Nullable Site own;

  /** The nearest of libraries, the nearest first. */
  public final List<Site> library;

  /**
   * What called the nearest of the application, the nearest first. Where a flow was handed on: the
   * application's call, or what had it before.
   */
  public final List<Site> callers;

  public CallPlace(@Nullable Site own, List<Site> library, List<Site> callers) {
    this.own = own;
    this.library = List.copyOf(library);
    this.callers = List.copyOf(callers);
  }

  /** The frame of the application or, where there is none, the nearest of a library. */
  public Site nearest() {
    return own == null ? library.get(0) : own;
  }

  /** Whether a channel is at work for itself, as one that writes what it has queued. */
  public boolean isOfChannel() {
    for (Site each : library) {
      if (!each.className().contains("netty.channel.")) {
        return false;
      }
    }
    return !library.isEmpty();
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof CallPlace
        && Objects.equals(own, ((CallPlace) o).own)
        && library.equals(((CallPlace) o).library)
        && callers.equals(((CallPlace) o).callers);
  }

  @Override
  public int hashCode() {
    return (Objects.hashCode(own) * 31 + library.hashCode()) * 31 + callers.hashCode();
  }
}
