package org.buftrail.flow.state;

import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * A buffer's membership in a composite.
 *
 * <p>The agent makes this the superclass of {@code CompositeByteBuf.Component}, so that remembering
 * where the component came from costs no object of its own.
 */
public abstract class ComponentBase {
  /** Where the component's flow was before it joined; null while nothing was moved. */
  public @Nullable Node own;

  /** Whether its tenured flow learns of its holder. */
  boolean held;

  /** For the class that is given this superclass. */
  protected ComponentBase() {}

  /** The buffer as it was added. */
  public abstract @Nullable TrackedBuffer buftrail$source();
}
