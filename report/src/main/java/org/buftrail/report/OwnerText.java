package org.buftrail.report;

import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/** The place that had the buffers of a leak which the last hop could only read. Stateless. */
public final class OwnerText {
  private OwnerText() {}

  /** Returns a sentence without its full stop; null where {@link Path#lastOwner} is. */
  public static @Nullable String sentence(Path leak) {
    Path.Hop owner = leak.lastOwner();
    return owner == null
        ? null
        : "last read in "
            + Wording.fullPlace(Wording.last(leak))
            + "; "
            + Wording.fullPlace(owner)
            + " had it";
  }
}
