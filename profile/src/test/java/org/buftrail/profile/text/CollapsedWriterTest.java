package org.buftrail.profile.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

class CollapsedWriterTest {
  private final Dictionary dictionary = new Dictionary();
  private final Samples samples = Samples.summed(2);

  private int frame(String name, long line) {
    return dictionary
        .locations()
        .intern(dictionary.functions().intern(name), line, dictionary.frameType("jvm"));
  }

  private int stack(int... leafFirst) {
    return dictionary.stacks().intern(leafFirst, 0, leafFirst.length);
  }

  private String write(int column, boolean lines) throws IOException {
    StringBuilder text = new StringBuilder();
    Profile profile = new Profile("x", ValueType.of("x", "count"), samples, column);
    CollapsedWriter writer = new CollapsedWriter(dictionary, lines);
    writer.write(profile, text);
    StringBuilder again = new StringBuilder();
    writer.write(profile, again);
    assertThat(again.toString()).isEqualTo(text.toString());
    return text.toString();
  }

  @Test
  void stacksAreWrittenFromTheRootAndEqualOnesSummed() throws IOException {
    int main = frame("Main.main", 3);
    int other = dictionary.attributeSets().intern(dictionary.attributes().intern("k", "v"));
    samples.add(stack(frame("a.B.c", 10), main), 0, 0, 2, 100);
    samples.add(stack(frame("a.B.c", 11), main), 0, 0, 3, 0);
    samples.add(stack(main), 0, 0, 1, 7);
    samples.add(stack(frame("a.B.c", 10), main), other, 0, 4, 50);
    samples.add(0, 0, 0, 9, 0);
    assertThat(write(0, false)).isEqualTo("Main.main;a.B.c 9\nMain.main 1\n[no stack] 9\n");
    assertThat(write(0, true))
        .isEqualTo("Main.main:3;a.B.c:10 6\nMain.main:3;a.B.c:11 3\nMain.main:3 1\n[no stack] 9\n");
    assertThat(write(1, false)).isEqualTo("Main.main;a.B.c 150\nMain.main 7\n");
  }

  @Test
  void namesDoNotBreakTheFormat() throws IOException {
    samples.add(stack(frame("a;b\nc d", 0), frame("", 5)), 0, 0, 1, 1);
    assertThat(write(0, true)).isEqualTo("[unknown]:5;a:b c d 1\n");
  }

  @Test
  void inlinedFunctionsAndFramesWithoutFunctionAreFrames() throws IOException {
    int inner = dictionary.functions().intern("inner");
    int outer = dictionary.functions().intern("outer");
    int set = dictionary.frameType("native");
    int library =
        dictionary.mappings().intern(1, 2, 0, dictionary.strings().intern("/lib/libc.so"), 0);
    int inlined =
        dictionary
            .locations()
            .intern(0, 1, set, new int[] {inner, outer}, new long[] {1, 2}, new long[2], 2);
    int bare = dictionary.locations().intern(library, 0x2A, 0, 0, 0, set);
    int nothing = dictionary.locations().intern(0, 0, 0, 0, 0, set);
    samples.add(stack(inlined, bare, nothing), 0, 0, 5, 5);
    assertThat(write(0, true)).isEqualTo("[unknown];libc.so+0x2a;outer:2;inner:1 5\n");
  }

  @Test
  void manyStacksAreAllWritten() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      samples.add(stack(frame("leaf" + i, i), frame("root", 1)), 0, 0, i + 1, 1);
    }
    String[] lines = write(0, false).split("\n");
    assertThat(lines).hasSize(1_000);
    assertThat(lines[999]).isEqualTo("root;leaf999 1000");
  }

  /** Of frames, and of functions that were inlined into one frame. */
  @Test
  void aStackOfAnyDepthIsALine() throws IOException {
    int[] frames = new int[2_000];
    int[] functions = new int[3_000];
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < functions.length; i++) {
      functions[functions.length - 1 - i] = dictionary.functions().intern("in" + i);
      expected.append("in").append(i).append(';');
    }
    for (int i = 0; i < frames.length - 1; i++) {
      frames[frames.length - 2 - i] = frame("f" + i, 0);
      expected.append('f').append(i).append(';');
    }
    int length = functions.length;
    frames[frames.length - 1] =
        dictionary
            .locations()
            .intern(
                0,
                1,
                dictionary.frameType("native"),
                functions,
                new long[length],
                new long[length],
                length);
    samples.add(stack(frames), 0, 0, 7, 7);
    expected.setLength(expected.length() - 1);
    assertThat(write(0, false)).isEqualTo(expected + " 7\n");
  }
}
