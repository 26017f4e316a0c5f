package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.stacks.ChunkStacks;
import org.buftrail.jfr.stacks.FrameTable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class FrameTableTest {
  record Frame(long method, int line, int bytecodeIndex, long type) {
    int encode(byte[] target, int at) {
      int end = varint(target, at, method);
      end = varint(target, end, line & 0xFFFFFFFFL);
      end = varint(target, end, bytecodeIndex & 0xFFFFFFFFL);
      return varint(target, end, type);
    }

    /** Seven bits a byte, lowest first, and eight in the ninth. */
    private static int varint(byte[] target, int at, long value) {
      long rest = value;
      int end = at;
      while (end - at < 8 && (rest & ~0x7FL) != 0) {
        target[end++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      target[end++] = (byte) rest;
      return end;
    }
  }

  private static Frame randomFrame(Random random) {
    long method = random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(51);
    return new Frame(method, random.nextInt(302) - 1, random.nextInt(302) - 1, random.nextInt(4));
  }

  /** Reads the frames several times. */
  @RepeatedTest(500)
  void numbersStandForTheirFrames(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    List<Frame> frames = new ArrayList<>();
    for (int i = random.nextInt(401); i > 0; i--) {
      boolean again = !frames.isEmpty() && random.nextBoolean();
      frames.add(again ? frames.get(random.nextInt(frames.size())) : randomFrame(random));
    }
    byte[] bytes = new byte[36 * frames.size() + Cursor.SLACK];
    int length = 0;
    for (Frame frame : frames) {
      length = frame.encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    ChunkStacks stacks = new ChunkStacks();
    for (int round = 0; round < 3; round++) {
      Cursor window = new Cursor(bytes, length, true);
      int from = stacks.reserve(frames.size());
      table.read(window, stacks, from, frames.size());
      assertThat(window.position).isEqualTo(length);
      for (int i = 0; i < frames.size(); i++) {
        assertThat(frame(stacks, stacks.numbers[from + i])).isEqualTo(frames.get(i));
      }
      stacks.end(frames.size(), false);
    }
    assertThat(stacks.ends[3]).isEqualTo(3 * frames.size());
  }

  private static Frame frame(ChunkStacks stacks, int i) {
    return new Frame(stacks.method(i), stacks.lines[i], stacks.bytecodeIndices[i], stacks.types[i]);
  }

  @Test
  void framesThatWereSeenAreNotNew() {
    byte[] bytes = new byte[200 * 4 + Cursor.SLACK];
    int length = 0;
    for (int i = 0; i < 200; i++) {
      length = new Frame(i % 100, 1, 1, 1).encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    ChunkStacks stacks = new ChunkStacks();
    for (int round = 0; round < 2; round++) {
      table.read(new Cursor(bytes, length, true), stacks, 0, 200);
      assertThat(stacks.frames).isEqualTo(100);
      assertThat(stacks.numbers).startsWith(0, 1, 2).contains(99, 0);
    }
  }

  @Test
  void framesAreNotLookedForWhereHardlyAnyWasKnown() {
    byte[] bytes = new byte[2000 * 5 + Cursor.SLACK];
    int length = 0;
    for (int i = 0; i < 2000; i++) {
      length = new Frame(i, 1, 1, 1).encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    ChunkStacks stacks = new ChunkStacks();
    int[] fresh = new int[7];
    for (int round = 0; round < fresh.length; round++) {
      int before = stacks.frames;
      int from = stacks.reserve(2000);
      table.read(new Cursor(bytes, length, true), stacks, from, 2000);
      fresh[round] = stacks.frames - before;
      for (int i = 0; i < 2000; i++) {
        assertThat(stacks.method(stacks.numbers[from + i])).isEqualTo(i);
      }
    }
    assertThat(fresh).containsExactly(2000, 2000, 2000, 2000, 2000, 2000, 0);
  }
}
