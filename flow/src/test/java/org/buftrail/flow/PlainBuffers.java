package org.buftrail.flow;

import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;

/** Asks buffers that were loaded without a place for their state. */
public final class PlainBuffers extends BufferAccess {
  /** Such a buffer as the tracker sees it: not a {@link TrackedBuffer}. */
  public static final class Plain {
    private final FakeBuffer figures;

    public Plain(FakeBuffer figures) {
      this.figures = figures;
    }
  }

  /** A message that holds one, of a class that loaded as early. */
  public static class Envelope {
    private final Plain content;

    public Envelope(Plain content) {
      this.content = content;
    }
  }

  @Override
  public Class<?> type() {
    return Plain.class;
  }

  @Override
  public boolean covers(Class<?> c) {
    return c == Plain.class || c == Envelope.class;
  }

  @Override
  public @Nullable Object owner(Object object) {
    return object instanceof Plain ? object : null;
  }

  @Override
  public @Nullable Object content(Object object) {
    return object instanceof Envelope envelope ? envelope.content : null;
  }

  @Override
  public int refCnt(Object owner) {
    return ((Plain) owner).figures.refCnt();
  }

  @Override
  public int capacity(Object owner) {
    return ((Plain) owner).figures.capacity();
  }

  @Override
  public boolean isDirect(Object owner) {
    return ((Plain) owner).figures.isDirect();
  }
}
