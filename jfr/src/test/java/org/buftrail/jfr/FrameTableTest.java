package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Reads the frames several times, of which some batches are not looked for. */
  @Property
  void numbersStandForTheirFrames(@ForAll @Size(max = 400) List<@From("frames") Frame> frames) {
    byte[] bytes = new byte[36 * frames.size() + Window.SLACK];
    int length = 0;
    for (Frame frame : frames) {
      length = frame.encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    int[] numbers = new int[frames.size()];
    // What the numbers have come to stand for when batches are taken in turn.
    Map<Integer, Frame> known = new HashMap<>();
    for (int round = 0; round < 12; round++) {
      Window window = new Window(bytes, length, true);
      StackBatch batch = new StackBatch();
      batch.firstFrame = table.size();
      table.read(window, batch, numbers, 0, numbers.length);
      assertThat(window.position).isEqualTo(length);
      for (int i = 0; i < batch.frames; i++) {
        known.put(batch.firstFrame + i, frame(batch, i));
      }
      for (int i = 0; i < numbers.length; i++) {
        assertThat(known.get(numbers[i])).isEqualTo(frames.get(i));
      }
      // As if all had been new, so that those that follow are not looked for.
      table.learn(numbers.length, round % 4 == 0 ? numbers.length : batch.frames);
    }
  }

  private static Frame frame(StackBatch batch, int i) {
    return new Frame(batch.methods[i], batch.lines[i], batch.bytecodeIndices[i], batch.types[i]);
  }

  @Test
  void looksForFramesAgainAfterAWhile() {
    byte[] bytes = new byte[200 * 4 + Window.SLACK];
    int length = 0;
    for (int i = 0; i < 200; i++) {
      length = new Frame(i, 1, 1, 1).encode(bytes, length);
    }
    FrameTable table = new FrameTable();
    StackBatch batch = new StackBatch();
    int[] fresh = new int[6];
    for (int round = 0; round < fresh.length; round++) {
      int before = batch.frames;
      table.read(new Window(bytes, length, true), batch, new int[200], 0, 200);
      fresh[round] = batch.frames - before;
      table.learn(200, fresh[round]);
      assertThat(table.size()).isEqualTo(200);
    }
    assertThat(fresh).containsExactly(200, 200, 200, 200, 0, 0);
  }
}
