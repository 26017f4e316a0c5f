package org.buftrail.profile.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.json.OtlpJsonWriter;
import org.buftrail.profile.otlp.write.OtlpSplitter;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.text.CollapsedWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that has written, and failed, writes the bytes that a new one does. */
final class ReusedWritersTest {
  private interface Writing {
    void to(OutputStream target) throws IOException;
  }

  /** A device that is full after some bytes. */
  private static final class Full extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final int room;

    Full(int room) {
      this.room = room;
    }

    @Override
    public void write(int b) throws IOException {
      if (kept.size() >= room) {
        throw new IOException("no space left");
      }
      kept.write(b);
    }
  }

  /** What a target was given, and the error that ended it. */
  private static String outcome(Writing writing, int room) {
    Full target = new Full(room);
    String end = "done";
    try {
      writing.to(target);
    } catch (IOException | IllegalArgumentException e) {
      end = String.valueOf(e.getMessage());
    }
    // How much is written before an error is each writer's own affair.
    byte[] written = end.equals("done") ? target.kept.toByteArray() : new byte[0];
    return end + Arrays.toString(written);
  }

  private static void parts(OtlpSplitter splitter, Profiles profiles, OutputStream target)
      throws IOException {
    List<byte[]> parts = new ArrayList<>();
    splitter.split(profiles, part -> parts.add(new OtlpWriter().toByteArray(part)));
    for (byte[] part : parts) {
      target.write(part);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void writesWhatANewOneWrites(long seed) {
    Random random = new Random(seed);
    OtlpWriter protobuf = new OtlpWriter();
    OtlpJsonWriter json = new OtlpJsonWriter(false);
    OtlpSplitter splitter = new OtlpSplitter(3_000);
    int failures = 0;
    for (int i = 0; i < 25; i++) {
      Profiles profiles = RandomProfiles.of(random.nextLong());
      int room = random.nextInt(3) == 0 ? random.nextInt(5_000) : Integer.MAX_VALUE;
      String whole = outcome(out -> new OtlpWriter().write(profiles, out), room);
      failures += whole.startsWith("done") ? 0 : 1;
      String place = "seed " + seed + ", " + i;
      assertThat(outcome(out -> protobuf.write(profiles, out), room)).as(place).isEqualTo(whole);
      assertThat(outcome(out -> json.write(profiles, out), room))
          .as(place)
          .isEqualTo(outcome(out -> new OtlpJsonWriter(false).write(profiles, out), room));
      assertThat(outcome(out -> parts(splitter, profiles, out), room))
          .as(place)
          .isEqualTo(outcome(out -> parts(new OtlpSplitter(3_000), profiles, out), room));
    }
    assertThat(failures).isBetween(1, 24);
  }

  /** Whose dictionary has grown since, with profiles of other stacks. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void collapsedStacksAreThoseOfANewWriter(long seed) throws IOException {
    Random random = new Random(seed);
    Dictionary dictionary = new Dictionary();
    CollapsedWriter used = new CollapsedWriter(dictionary, true);
    long lines = 0;
    for (int i = 0; i < 10; i++) {
      for (Profile profile : RandomProfiles.of(random.nextLong(), dictionary).profiles()) {
        StringBuilder again = new StringBuilder();
        StringBuilder first = new StringBuilder();
        used.write(profile, again);
        new CollapsedWriter(dictionary, true).write(profile, first);
        assertThat(again).as("seed %s, %s", seed, i).hasToString(first.toString());
        lines += first.toString().lines().count();
      }
    }
    assertThat(lines).isGreaterThan(20);
  }
}
