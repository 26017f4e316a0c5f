package org.buftrail.it.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Uses buffers of Apache Arrow: 3 end, 2 leak, 1 is held, and the memory of one more goes to
 * another allocator, where it ends. One without memory counts for nothing.
 *
 * <p>With an argument it has used one, makes a file {@code ready}, and uses 10 whenever there is a
 * file {@code take}, until there is one {@code stop}.
 */
public final class ArrowBuffers {
  private static final int BYTES = 64;
  private static final List<Object> HELD = new ArrayList<>();

  private ArrowBuffers() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException, IOException {
    BufferAllocator allocator = new RootAllocator();
    if (args.length > 0) {
      takeWhenAsked(allocator);
      return;
    }
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

  private static void takeWhenAsked(BufferAllocator allocator)
      throws InterruptedException, IOException {
    take(allocator).close();
    Files.createFile(Path.of("ready"));
    Path asked = Path.of("take");
    while (!Files.exists(Path.of("stop"))) {
      if (Files.exists(asked)) {
        for (int i = 0; i < 10; i++) {
          take(allocator).close();
        }
        Files.delete(asked);
      }
      Thread.sleep(10);
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
