package org.buftrail.profile.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollapsedReaderTest {
  private static Profiles read(String text) throws IOException {
    return CollapsedReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whatWasWrittenIsReadAndEqualStacksAreOne() throws IOException {
    String text = "main;a b;leaf 5\nmain 2\n[no stack] 7\nmain;a b;leaf 1\nzero 0\n";
    Profiles profiles = read(text);
    Profile profile = profiles.profiles().get(0);
    assertThat(profile.sampleType()).hasToString("samples/count");
    assertThat(profile.total()).isEqualTo(15);
    assertThat(profiles.dictionary().stacks().depth(profile.samples().stack(0))).isEqualTo(3);
    assertThat(profile.samples().stack(2)).as("of no frame").isZero();
    StringBuilder again = new StringBuilder();
    new CollapsedWriter(profiles.dictionary(), false).write(profile, again);
    assertThat(again).hasToString("main;a b;leaf 6\nmain 2\n[no stack] 7\n");
  }

  @Test
  void stacksOfManyFramesAreRead() throws IOException {
    Profiles profiles = read("f;".repeat(199) + "leaf 1\n");
    int stack = profiles.profiles().get(0).samples().stack(0);
    assertThat(profiles.dictionary().stacks().depth(stack)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "'main', 'line 1: has no stack with a number behind it'",
    "'main 1\n 5', 'line 2: has no stack with a number behind it'",
    "'main 1\nmain x', 'line 2: does not end in a whole number of 0 or more'",
    "'main -1', 'line 1: does not end in a whole number of 0 or more'",
    "'main 1.5', 'line 1: does not end in a whole number of 0 or more'",
    "'main 9223372036854775808', 'line 1: does not end in a whole number of 0 or more'",
    "'a;;b 1', 'line 1: has a frame without a name'",
    "'a; 1', 'line 1: has a frame without a name'",
    "'', 'is empty'",
  })
  void whatIsNoStackIsNamedByItsLine(String text, String message) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage(message);
  }

  @Test
  void whatIsNoTextIsSaid() {
    assertThatThrownBy(
            () -> CollapsedReader.read(new ByteArrayInputStream(new byte[] {'a', (byte) 0xFF})))
        .hasMessage("line 1: it, or what follows, is not UTF-8");
  }
}
