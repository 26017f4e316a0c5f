package org.buftrail.flow;

import org.jspecify.annotations.Nullable;

/**
 * A message that carries a buffer.
 *
 * <p>The agent makes this a superinterface of Netty's {@code ByteBufHolder}, and weaves the method
 * into the classes that keep what they hold in a field.
 */
public interface BufferHolder {
  /**
   * The buffer in the holder's field, whatever its count; null where there is no such field, or
   * nothing in it, as in a holder that is being made.
   */
  default @Nullable Trail buftrail$content() {
    return null;
  }
}
