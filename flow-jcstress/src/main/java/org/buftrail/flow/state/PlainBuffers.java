package org.buftrail.flow.state;

import org.jspecify.annotations.Nullable;

/** Asks buffers of a class that was not given a place for its state. */
final class PlainBuffers extends BufferAccess {
  /** A buffer of 1 byte. */
  static final class Plain {}

  @Override
  public Class<?> type() {
    return Plain.class;
  }

  @Override
  public boolean covers(Class<?> c) {
    return c == Plain.class;
  }

  @Override
  public @Nullable Object owner(Object object) {
    return object instanceof Plain ? object : null;
  }

  @Override
  public @Nullable Object content(Object object) {
    return null;
  }

  @Override
  public int refCnt(Object owner) {
    return 1;
  }

  @Override
  public int capacity(Object owner) {
    return 1;
  }

  @Override
  public boolean isDirect(Object owner) {
    return true;
  }
}
