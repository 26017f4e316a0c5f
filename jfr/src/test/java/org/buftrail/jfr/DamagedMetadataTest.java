package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A byte that is wrong in the description of types costs the types that it describes. */
final class DamagedMetadataTest {
  private static final String FIRST = "app.First";
  private static final String SECOND = "app.Second";

  /** The last element is the class of the second type, with two fields. */
  private static final int LAST_CLASS = 3 * 7;

  private static final Converter CONVERTER =
      new Converter(
          Options.DEFAULT.events(
              List.of(
                  Options.Event.parse(FIRST + ":size"), Options.Event.parse(SECOND + ":size"))));

  private Path file;
  private byte[] whole;

  @BeforeEach
  void write(@TempDir Path directory) throws IOException {
    file = directory.resolve("two-types.jfr");
    try (ChunkFile chunk =
        new ChunkFile(file, true).type(FIRST, "int size").type(SECOND, "int size")) {
      for (int i = 0; i < 3; i++) {
        chunk.event(FIRST, chunk.at(i).i4(5)).event(SECOND, chunk.at(i).i4(7));
      }
    }
    whole = Files.readAllBytes(file);
  }

  private Conversion convert(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    return CONVERTER.convert(List.of(file));
  }

  private static Map<String, Long> totals(Conversion conversion) {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : conversion.profiles().profiles()) {
      totals.put(profile.name().replace(":size", ""), profile.total());
    }
    return totals;
  }

  @Test
  void nothingIsDamagedWithoutIt() throws IOException {
    Conversion conversion = convert(whole);
    assertThat(totals(conversion)).isEqualTo(Map.of(FIRST, 15L, SECOND, 21L));
    assertThat(conversion.isPartial()).isFalse();
  }

  @Test
  void aNumberThatIsNoneCostsItsType() throws IOException {
    byte[] bytes = whole.clone();
    // The first type's id, a text of three digits.
    byte[] id = {3, 3, '1', '0', '0'};
    int at = -1;
    for (int i = 0; i + id.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + id.length, id, 0, id.length)) {
        at = i;
      }
    }
    assertThat(at).isPositive();
    bytes[at + 3] = 'x';
    Conversion conversion = convert(bytes);
    assertThat(totals(conversion)).isEqualTo(Map.of(SECOND, 21L));
    assertThat(conversion.damages().stream().map(Damage::cause))
        .containsExactly(
            "metadata has \"1x0\" where a number belongs: events of some types cannot be read",
            "3 events are of types that are not described");
  }

  @Test
  void noByteOfOneTypeCostsAnother() throws IOException {
    for (int at = whole.length - LAST_CLASS; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] bytes = whole.clone();
        bytes[at] ^= (byte) (1 << bit);
        assertThat(totals(convert(bytes)))
            .as("bit %d of byte %d from the end", bit, whole.length - at)
            .containsEntry(FIRST, 15L);
      }
    }
  }
}
