package org.buftrail.flow.shaded.buffer;

import org.buftrail.flow.FakeBuffer;

/** Lies where the one of a Netty would whose package is {@code org.buftrail.flow.shaded}. */
public final class ByteBuf extends FakeBuffer {
  public ByteBuf() {
    super(false);
  }
}
