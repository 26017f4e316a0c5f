package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Closes some files, one of them twice, leaks 2, holds 1, and releases a buffer. */
public final class OpenFiles {
  private static final List<Object> HELD = new ArrayList<>();

  private OpenFiles() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of("data.txt");
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(new byte[] {1, 2, 3});
    }
    for (int i = 0; i < 3; i++) {
      FileInputStream in = open(file);
      read(in);
      in.close();
    }
    FileInputStream twice = open(file);
    twice.close();
    twice.close();
    HELD.add(open(file));
    Garbage leaked = new Garbage();
    for (int i = 0; i < 2; i++) {
      lose(file, leaked);
    }
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
    buffer.release();
    leaked.awaitCollection();
    Files.delete(file);
  }

  private static FileInputStream open(Path file) throws IOException {
    return new FileInputStream(file.toFile());
  }

  private static void read(FileInputStream in) throws IOException {
    if (in.read() != 1) {
      throw new IOException("not what was written");
    }
  }

  private static void lose(Path file, Garbage leaked) throws IOException {
    FileInputStream in = open(file);
    read(in);
    leaked.add(in);
  }
}
