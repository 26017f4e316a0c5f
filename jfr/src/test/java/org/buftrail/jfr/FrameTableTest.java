package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
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

  @Provide
  Arbitrary<Frame> frames() {
    Arbitrary<Integer> small = Arbitraries.integers().between(-1, 300);
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.longs().between(0, 50)), Tuple.of(1, Arbitraries.longs())),
            small,
            small,
            Arbitraries.longs().between(0, 3))
        .as(Frame::new);
  }

  /** Reads the frames several times. */
  @Property
  void numbersStandForTheirFrames(@ForAll @Size(max = 400) List<@From("frames") Frame> frames) {
    byte[] bytes = new byte[36 * frames.size() + Window.SLACK];
    int length = 0;
    for (Frame frame : frames) {
      length = frame.encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    ChunkStacks stacks = new ChunkStacks();
    for (int round = 0; round < 3; round++) {
      Window window = new Window(bytes, length, true);
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
    byte[] bytes = new byte[200 * 4 + Window.SLACK];
    int length = 0;
    for (int i = 0; i < 200; i++) {
      length = new Frame(i % 100, 1, 1, 1).encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    ChunkStacks stacks = new ChunkStacks();
    for (int round = 0; round < 2; round++) {
      table.read(new Window(bytes, length, true), stacks, 0, 200);
      assertThat(stacks.frames).isEqualTo(100);
      assertThat(stacks.numbers).startsWith(0, 1, 2).contains(99, 0);
    }
  }

  @Test
  void framesAreNotLookedForWhereHardlyAnyWasKnown() {
    byte[] bytes = new byte[2000 * 5 + Window.SLACK];
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
      table.read(new Window(bytes, length, true), stacks, from, 2000);
      fresh[round] = stacks.frames - before;
      for (int i = 0; i < 2000; i++) {
        assertThat(stacks.method(stacks.numbers[from + i])).isEqualTo(i);
      }
    }
    assertThat(fresh).containsExactly(2000, 2000, 2000, 2000, 2000, 2000, 0);
  }
}
