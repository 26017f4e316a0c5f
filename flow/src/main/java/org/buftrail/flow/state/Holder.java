package org.buftrail.flow.state;

import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/** What alone holds a buffer, and is lost with it. */
interface Holder {
  /** Where it was lost; null where it was not. Sweeper only. */
  @Nullable Node lostAt();

  /** What holds it in turn, or null. */
  @Nullable Holder holder();
}
