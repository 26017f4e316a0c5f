package org.buftrail.flow.state;

import org.jspecify.annotations.Nullable;

/** Buffers of some library, which have no place for a state. */
class Library extends BufferAccess {
  /** A buffer. */
  static class Buffer {
    int count = 1;
    int capacity = 8;
    boolean isDirect;
  }

  /** Shares the count of a buffer. */
  static final class View {
    final @Nullable Buffer of;

    View(@Nullable Buffer of) {
      this.of = of;
    }
  }

  /** Keeps a buffer, or something else. */
  static final class Message {
    final @Nullable Object content;

    Message(@Nullable Object content) {
      this.content = content;
    }
  }

  @Override
  public Class<?> type() {
    return Buffer.class;
  }

  @Override
  public boolean covers(Class<?> c) {
    return Buffer.class.isAssignableFrom(c) || c == View.class || c == Message.class;
  }

  @Override
  public @Nullable Object owner(Object object) {
    return object instanceof View view ? view.of : object instanceof Buffer ? object : null;
  }

  @Override
  public @Nullable Object content(Object object) {
    return object instanceof Message message ? message.content : null;
  }

  @Override
  public int refCnt(Object owner) {
    return ((Buffer) owner).count;
  }

  @Override
  public int capacity(Object owner) {
    return ((Buffer) owner).capacity;
  }

  @Override
  public boolean isDirect(Object owner) {
    return ((Buffer) owner).isDirect;
  }
}
