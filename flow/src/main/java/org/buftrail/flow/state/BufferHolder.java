package org.buftrail.flow.state;

import org.jspecify.annotations.Nullable;

/**
 * A message that keeps a buffer in a field.
 *
 * <p>The agent makes this a superinterface of the classes that have such a field, as they load, by
 * {@link HolderRoot} where it can. No interface of Netty's gets it: then whatever implements those
 * at run time would be asked too.
 */
public interface BufferHolder {
  /**
   * The value of the field: a buffer, whatever its count, a further holder, or anything else; null
   * in a holder that is being made.
   */
  @Nullable Object buftrail$content();
}
