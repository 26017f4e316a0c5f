package org.buftrail.it.programs;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Mocks a final class and a buffer, spies on what handles real ones, and handles them before and
 * after.
 */
public final class Mocked {
  private Mocked() {}

  /** Runs the program. */
  @SuppressWarnings("DirectInvocationOnMock") // that mocks answer is what is tried
  public static void main(String[] args) {
    handle(new Service());
    Service mocked = mock(Service.class);
    ByteBuf buffer = mock(ByteBuf.class);
    when(buffer.readableBytes()).thenReturn(7);
    when(mocked.take(buffer)).thenReturn(8);
    demand(mocked.take(buffer) == 8 && buffer.readableBytes() == 7);
    Service spied = spy(new Service());
    demand(new Service().take(buffer) == 7);
    handle(spied);
    verify(spied).end(org.mockito.ArgumentMatchers.any());
    handle(new Service());
  }

  private static void handle(Service service) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64).writeZero(5);
    demand(service.take(buffer) == 5);
    service.end(buffer);
  }

  private static void demand(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("not as mocked");
    }
  }

  /** Final, so that only the inline mock maker can mock it. */
  static final class Service {
    int take(ByteBuf buffer) {
      return buffer.readableBytes();
    }

    void end(ByteBuf buffer) {
      buffer.release();
    }
  }
}
