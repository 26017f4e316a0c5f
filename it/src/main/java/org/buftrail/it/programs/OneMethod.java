package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes buffers and composites by one method of Netty, as often as a line of its input says: {@code
 * plain 7}, {@code composite 3}. {@code keep 31} keeps as many, one each 400 ms. Makes a file
 * {@code done-N} when it has done what the line N says; ends with its input.
 */
public final class OneMethod {
  private static final byte[] BYTES = new byte[16];
  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private OneMethod() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    for (int number = 1; (line = lines.readLine()) != null; number++) {
      String[] words = line.split(" ", -1);
      for (int i = Integer.parseInt(words[1]); i > 0; i--) {
        make(words[0]);
      }
      Files.createFile(Path.of("done-" + number));
    }
  }

  private static void make(String what) throws InterruptedException {
    if (what.equals("plain")) {
      Unpooled.wrappedBuffer(new byte[][] {BYTES}).release();
    } else if (what.equals("composite")) {
      // With its two components, three.
      Unpooled.wrappedBuffer(new byte[][] {BYTES, BYTES}).release();
    } else {
      keep(PooledByteBufAllocator.DEFAULT.directBuffer(256));
      Thread.sleep(400);
    }
  }

  private static void keep(ByteBuf buffer) {
    KEPT.add(buffer);
  }
}
