package org.buftrail.profile.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a terminal shows of profiles. */
final class ProfileTextTest {
  private final Dictionary dictionary = new Dictionary();
  private final Samples samples = Samples.summed(2);

  private int frame(String name) {
    return dictionary
        .locations()
        .intern(dictionary.functions().intern(name), 1, dictionary.frameType("jvm"));
  }

  private int stack(int... leafFirst) {
    return dictionary.stacks().intern(leafFirst, 0, leafFirst.length);
  }

  private String write(Profile... profiles) throws IOException {
    StringBuilder text = new StringBuilder();
    Profiles all = new Profiles(dictionary);
    List.of(profiles).forEach(all::add);
    ProfileText.write(all, text);
    return text.toString();
  }

  @Test
  void theFunctionsWithTheLargestShareComeFirst() throws IOException {
    int main = frame("main");
    int work = frame("work");
    samples.add(stack(work, main), 0, 0, 6, 3072);
    samples.add(stack(frame("wait"), work, main), 0, 0, 3, 1024);
    samples.add(0, 0, 0, 1, 0);
    Profile count = new Profile("cpu", ValueType.of("samples", "count"), samples, 0);
    Profile bytes = new Profile("", ValueType.of("space", "bytes"), samples, 1);
    assertThat(write(count, bytes))
        .isEqualTo(
            """
            cpu: samples/count  10, 3 samples
                        self            with callees          function
                           6  60.0 %               9  90.0 %  work
                           3  30.0 %               3  30.0 %  wait
                           1  10.0 %               1  10.0 %  [no stack]
                           0   0.0 %               9  90.0 %  main

            space/bytes  4.0 KiB, 3 samples
                        self            with callees          function
                     3.0 KiB  75.0 %         4.0 KiB 100.0 %  work
                     1.0 KiB  25.0 %         1.0 KiB  25.0 %  wait
                         0 B   0.0 %         4.0 KiB 100.0 %  main
            """);
  }

  @Test
  void aFunctionThatCallsItselfHasItsShareOnce() throws IOException {
    int again = frame("again");
    samples.add(stack(again, again, frame("main"), again), 0, 0, 2, 0);
    assertThat(write(new Profile("cpu", ValueType.of("samples", "count"), samples, 0)))
        .isEqualTo(
            """
            cpu: samples/count  2, 1 sample
                        self            with callees          function
                           2 100.0 %               2 100.0 %  again
                           0   0.0 %               2 100.0 %  main
            """);
  }

  /** The innermost of those that were inlined has the share of its own. */
  @Test
  void inlinedFunctionsAndAddressesAreFunctions() throws IOException {
    int set = dictionary.frameType("native");
    int inner = dictionary.functions().intern("inner");
    int outer = dictionary.functions().intern("outer");
    int inlined =
        dictionary
            .locations()
            .intern(0, 1, set, new int[] {inner, outer}, new long[] {1, 2}, new long[2], 2);
    int library =
        dictionary.mappings().intern(1, 2, 0, dictionary.strings().intern("/lib/libc.so"), 0);
    int bare = dictionary.locations().intern(library, 0x2A, 0, 0, 0, set);
    samples.add(stack(inlined, bare), 0, 0, 5, 0);
    assertThat(write(new Profile("cpu\n", ValueType.of("samples", "count"), samples, 0)))
        .isEqualTo(
            """
            cpu\\u000a: samples/count  5, 1 sample
                        self            with callees          function
                           5 100.0 %               5 100.0 %  inner
                           0   0.0 %               5 100.0 %  outer
                           0   0.0 %               5 100.0 %  libc.so+0x2a
            """);
  }

  @Test
  void tenFunctionsAreShown() throws IOException {
    for (int i = 1; i <= 200; i++) {
      samples.add(stack(frame("f" + i)), 0, 0, i, 0);
    }
    List<String> lines =
        write(new Profile("cpu", ValueType.of("samples", "count"), samples, 0)).lines().toList();
    assertThat(lines).hasSize(12);
    assertThat(lines.get(0)).isEqualTo("cpu: samples/count  20,100, 200 samples");
    assertThat(lines.get(2)).endsWith("  f200");
    assertThat(lines.get(11)).endsWith("  f191");
  }

  @Test
  void whatHasNothingInItSaysSo() throws IOException {
    assertThat(write()).isEqualTo("no profiles\n");
    assertThat(write(new Profile("cpu", ValueType.of("samples", "count"), samples, 0)))
        .isEqualTo("cpu: samples/count  0, 0 samples\n");
  }

  @ParameterizedTest
  @CsvSource({
    "12345, count, '12,345'",
    "0, bytes, 0 B",
    "1023, bytes, 1023 B",
    "1024, bytes, 1.0 KiB",
    "1843, bytes, 1.8 KiB",
    "1048524, bytes, 1023.9 KiB",
    "1048525, bytes, 1.0 MiB",
    "5368709120, bytes, 5.0 GiB",
    "9223372036854775807, bytes, 8.0 EiB",
    "1250000000, nanoseconds, 1.250 s",
    "3600000000000, nanoseconds, '3,600.000 s'",
  })
  void amountsAreWordedByTheirUnit(long amount, String unit, String text) {
    assertThat(Amounts.of(amount, unit)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 chunks", "1, 1 chunk", "12345, 12345 chunks"})
  void oneIsNotSeveral(long number, String text) {
    assertThat(Amounts.counted(number, "chunk", "chunks")).isEqualTo(text);
  }
}
