package org.buftrail.it.programs;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Uses buffers of Apache Arrow: 3 end, 2 leak, 1 is held, and the memory of one more goes to
 * another allocator, where it ends. One without memory counts for nothing.
 */
public final class ArrowBuffers {
  private static final int BYTES = 64;
  private static final List<Object> HELD = new ArrayList<>();

  private ArrowBuffers() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    BufferAllocator allocator = new RootAllocator();
    for (int i = 0; i < 3; i++) {
      ArrowBuf buffer = take(allocator);
      share(buffer);
      buffer.close();
    }
    HELD.add(take(allocator));
    Garbage leaked = new Garbage();
    for (int i = 0; i < 2; i++) {
      lose(take(allocator), leaked);
    }
    handOver(take(allocator), allocator);
    allocator.buffer(0).close();
    leaked.awaitCollection();
    if (allocator.getAllocatedMemory() != 3 * BYTES) {
      throw new IllegalStateException(allocator.toVerboseString());
    }
  }

  private static ArrowBuf take(BufferAllocator allocator) {
    return allocator.buffer(BYTES);
  }

  private static void lose(ArrowBuf buffer, Garbage leaked) {
    share(buffer);
    leaked.add(buffer);
  }

  private static void share(ArrowBuf buffer) {
    buffer.getReferenceManager().retain();
    use(buffer.slice(0, 8));
    buffer.close();
  }

  private static void use(ArrowBuf buffer) {
    buffer.setByte(0, 1);
  }

  private static void handOver(ArrowBuf buffer, BufferAllocator allocator) {
    try (BufferAllocator other = allocator.newChildAllocator("other", 0, BYTES)) {
      ArrowBuf theirs =
          buffer.getReferenceManager().transferOwnership(buffer, other).getTransferredBuffer();
      buffer.close();
      use(theirs);
      theirs.close();
    }
  }
}
