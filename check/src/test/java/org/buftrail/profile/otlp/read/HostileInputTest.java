package org.buftrail.profile.otlp.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.Flattened;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.Violation;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.json.OtlpJsonWriter;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are: an answer, soon, and no exception but the documented one. */
class HostileInputTest {
  private static final long SLOWEST = 10_000_000_000L;

  /** Tags of the outermost messages, small numbers, and what begins and ends JSON. */
  private static final byte[] SPECIAL = {
    0x0A, 0x12, 0x1A, 0x2A, 0, 1, 2, -1, -128, 127, '{', '[', '"', ':'
  };

  private static void feed(byte[] bytes) throws IOException {
    long start = System.nanoTime();
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(bytes));
    for (Violation violation : result.violations()) {
      assertThat(violation.toString().lines()).hasSize(1);
    }
    List<Profiles> read = readOrNothing(bytes);
    if (!read.isEmpty()) {
      assertThat(result.profiles()).isGreaterThanOrEqualTo(read.get(0).profiles().size());
      List<String> lines = flattened(read);
      ByteArrayOutputStream target = new ByteArrayOutputStream();
      new OtlpWriter().write(read, target);
      assertThat(flattened(readOrNothing(target.toByteArray())))
          .as("what was accepted is written and read back as it was understood")
          .isEqualTo(lines);
      new OtlpJsonWriter(false).write(read, new ByteArrayOutputStream());
    }
    assertThat(System.nanoTime() - start).isLessThan(SLOWEST);
  }

  private static List<Profiles> readOrNothing(byte[] bytes) throws IOException {
    try {
      return OtlpReader.read(new ByteArrayInputStream(bytes));
    } catch (MalformedMessageException expected) {
      assertThat(String.valueOf(expected.getMessage()).lines()).hasSize(1);
      return List.of();
    }
  }

  private static List<String> flattened(List<Profiles> all) {
    List<String> lines = new ArrayList<>();
    all.forEach(profiles -> lines.addAll(Flattened.of(profiles)));
    return lines;
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    byte[] result = bytes.clone();
    int changes = 1 + random.nextInt(random.nextBoolean() ? 3 : 60);
    for (int i = 0; i < changes && result.length > 8; i++) {
      int at = random.nextInt(result.length);
      switch (random.nextInt(5)) {
        case 0:
          result[at] ^= (byte) (1 << random.nextInt(8));
          break;
        case 1:
          result[at] = (byte) random.nextInt();
          break;
        case 2:
          result = Arrays.copyOf(result, Math.max(1, at));
          break;
        case 3:
          int length = Math.min(random.nextInt(200), result.length - at);
          int from = random.nextInt(result.length - length + 1);
          System.arraycopy(bytes, Math.min(from, bytes.length - length), result, at, length);
          break;
        default:
          Arrays.fill(result, at, Math.min(result.length, at + 5), (byte) 0xFF);
          break;
      }
    }
    return result;
  }

  /** Twenty for each seed: short ones, and those that begin like a message, get furthest. */
  @RepeatedTest(100)
  void randomBytes(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[random.nextInt(i % 2 == 0 ? 12 : 401)];
      random.nextBytes(bytes);
      for (int k = 0; i % 4 > 1 && k < bytes.length; k += 1 + random.nextInt(9)) {
        bytes[k] = SPECIAL[random.nextInt(SPECIAL.length)];
      }
      feed(bytes);
    }
  }

  @RepeatedTest(200)
  void mutatedProtobuf(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    byte[] whole = new OtlpWriter().toByteArray(RandomProfiles.of(random.nextInt(20)));
    feed(mutated(whole, random));
  }

  @RepeatedTest(200)
  void mutatedJson(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    new OtlpJsonWriter(random.nextBoolean()).write(RandomProfiles.of(random.nextInt(20)), whole);
    feed(mutated(whole.toByteArray(), random));
  }

  @Test
  void lengthsThatLieAllocateNothing() throws IOException {
    // resource_profiles of 2 GiB, and a string of 2 GiB in a dictionary that says it is larger.
    feed(new byte[] {0x0A, -1, -1, -1, -1, 7});
    feed(new byte[] {0x12, -1, -1, -1, -1, 15, 0x2A, -1, -1, -1, -1, 7, 'x'});
    feed(new byte[] {0x12, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
  }

  @Test
  void manyEmptyMessagesAreBounded() throws IOException {
    byte[] resources = new byte[400_002];
    for (int i = 0; i < resources.length; i += 2) {
      resources[i] = 0x0A;
    }
    assertThat(Conformance.check(new ByteArrayInputStream(resources)).violations())
        .extracting(Violation::toString)
        .containsExactly("has more than 100000 resources, scopes and profiles");
    feed(resources);
    // A dictionary of a million empty locations, stacks and links.
    byte[] dictionary = new byte[5 + 2 * 999_999];
    dictionary[0] = 0x12;
    int length = 2 * 999_999;
    for (int i = 1; i < 5; i++) {
      dictionary[i] = (byte) ((length >> (7 * (i - 1)) & 0x7F) | (i < 4 ? 0x80 : 0));
    }
    for (int i = 5; i < dictionary.length; i += 6) {
      dictionary[i] = 0x12;
      dictionary[i + 2] = 0x3A;
      dictionary[i + 4] = 0x22;
    }
    feed(dictionary);
  }

  @Test
  void deepValuesAreRefused() throws IOException {
    byte[] value = {};
    for (int i = 0; i < 5_000; i++) {
      ByteArrayOutputStream outer = new ByteArrayOutputStream();
      message(outer, 1, value);
      ByteArrayOutputStream list = new ByteArrayOutputStream();
      message(list, 5, outer.toByteArray());
      value = list.toByteArray();
    }
    ByteArrayOutputStream attribute = new ByteArrayOutputStream();
    message(attribute, 2, value);
    byte[] nested = attribute.toByteArray();
    for (int field : new int[] {1, 1, 1}) {
      ByteArrayOutputStream outer = new ByteArrayOutputStream();
      message(outer, field, nested);
      nested = outer.toByteArray();
    }
    assertThat(Conformance.check(new ByteArrayInputStream(nested)).violations())
        .extracting(Violation::toString)
        .containsExactly("an attribute value is nested more than 32 deep");
    feed(nested);
  }

  private static void message(ByteArrayOutputStream target, int field, byte[] content) {
    target.write(field << 3 | 2);
    int rest = content.length;
    for (; rest > 0x7F; rest >>>= 7) {
      target.write(rest | 0x80);
    }
    target.write(rest);
    target.writeBytes(content);
  }
}
