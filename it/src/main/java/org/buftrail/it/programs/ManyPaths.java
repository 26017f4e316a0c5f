package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Sends as many buffers as its argument says through six methods, in many orders. */
public final class ManyPaths {
  private ManyPaths() {}

  /** Runs the program. */
  public static void main(String[] args) {
    Random random = new Random(1);
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Collections.shuffle(order, random);
      ByteBuf buffer = Unpooled.buffer(16);
      for (int next : order) {
        switch (next) {
          case 0:
            first(buffer);
            break;
          case 1:
            second(buffer);
            break;
          case 2:
            third(buffer);
            break;
          case 3:
            fourth(buffer);
            break;
          case 4:
            fifth(buffer);
            break;
          default:
            sixth(buffer);
        }
      }
      buffer.release();
    }
    System.out.println("main done");
  }

  private static void first(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private static void second(ByteBuf buffer) {
    buffer.writeByte(2);
  }

  private static void third(ByteBuf buffer) {
    buffer.writeByte(3);
  }

  private static void fourth(ByteBuf buffer) {
    buffer.writeByte(4);
  }

  private static void fifth(ByteBuf buffer) {
    buffer.writeByte(5);
  }

  private static void sixth(ByteBuf buffer) {
    buffer.writeByte(6);
  }
}
