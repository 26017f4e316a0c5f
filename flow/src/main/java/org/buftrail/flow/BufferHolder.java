package org.buftrail.flow;

import org.jspecify.annotations.Nullable;

/**
 * A message that carries a buffer.
 *
 * <p>The agent makes this a superinterface of Netty's {@code ByteBufHolder} and weaves the method.
 */
public interface BufferHolder {
  /** The buffer held, or null when it is already released. */
  @Nullable Trail buftrail$content();
}
