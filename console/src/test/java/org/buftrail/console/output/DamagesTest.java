package org.buftrail.console.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.Options;
import org.buftrail.profile.input.ReadProfiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a conversion that did not give all that was asked for, and the code. */
final class DamagesTest {
  private static final Path ONE = Path.of("one.jfr");
  private static final Path TWO = Path.of("two.jfr");
  private static final Damage CUT = new Damage(ONE, 2, 99, "it is cut off");
  private static final Damage WHOLE =
      new Damage(TWO, Damage.WHOLE_FILE, 0, "not a flight recording");

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(
          new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
          new PrintStream(said, true, UTF_8));

  private final Conversion none = conversion();

  /** Of no recordings at all. */
  private static Conversion conversion() {
    try {
      return new Converter(Options.DEFAULT).convert(List.of());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Conversion with(List<Damage> damages, List<String> notes, String... unmet) {
    Map<Options.Event, String> reasons = new LinkedHashMap<>();
    for (String event : unmet) {
      reasons.put(Options.Event.parse(event), "it is missing");
    }
    return new Conversion(none.profiles(), none.stats(), damages, notes, reasons);
  }

  private List<String> said() {
    List<String> lines = said.toString(UTF_8).lines().toList();
    said.reset();
    return lines;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | 1 | (--lenient accepts that)",
        "true | 0 |",
      })
  void damagesAreNamedCountedAndAFailureUnlessTheyAreAccepted(
      boolean lenient, int exit, String accepted) {
    String more = accepted == null ? "" : " " + accepted;
    Conversion both = with(List.of(CUT, WHOLE), List.of("it is old", "it is long"));
    assertThat(Damages.report(both, lenient, terminal)).isEqualTo(exit);
    assertThat(said())
        .containsExactly(
            "buftrail: note: it is old",
            "buftrail: note: it is long",
            "buftrail: one.jfr: chunk 2 at byte 99: it is cut off",
            "buftrail: two.jfr: not a flight recording",
            "buftrail: 2 damaged parts left out; the output is marked partial" + more);
    ReadProfiles read = ReadProfiles.of(List.of(), List.of("it is odd"));
    assertThat(Damages.report(read, lenient, terminal)).isEqualTo(exit);
    assertThat(said())
        .containsExactly("buftrail: it is odd", "buftrail: 1 damaged part left out" + more);
  }

  @Test
  void withoutDamagesNothingFailsAndNotesAreSaid() {
    assertThat(Damages.report(with(List.of(), List.of("it is old")), false, terminal)).isZero();
    assertThat(said()).containsExactly("buftrail: note: it is old");
  }

  @Test
  void anEventIsMissingIfNoConversionCouldGiveIt() {
    UnmetEvents unmet = new UnmetEvents();
    assertThat(unmet.report(terminal)).isZero();
    unmet.add(with(List.of(), List.of(), "my.A", "my.B:size", "my.C"));
    unmet.add(with(List.of(), List.of(), "my.B:size", "my.A", "my.D"));
    assertThat(unmet.report(terminal)).isEqualTo(1);
    assertThat(said())
        .containsExactly(
            "buftrail: --event my.A: it is missing", "buftrail: --event my.B:size: it is missing");
    unmet.add(with(List.of(), List.of()));
    assertThat(unmet.report(terminal)).isZero();
    assertThat(said()).isEmpty();
  }

  private String nothing(List<Path> inputs, Damage... damages) {
    Conversion conversion = with(List.of(damages), List.of());
    return String.valueOf(NothingToWrite.of(inputs, conversion, false, terminal).getMessage());
  }

  /** In its one line, if all of them are of the one file that was named; else before it. */
  @Test
  void whyThereIsNothingIsSaidWithTheDamages() {
    String no = "nothing to convert: there are no events";
    assertThat(nothing(List.of(ONE))).isEqualTo("one.jfr: " + no);
    assertThat(nothing(List.of(ONE), CUT))
        .isEqualTo("one.jfr: " + no + "; chunk 2 at byte 99: it is cut off");
    assertThat(nothing(List.of(ONE), CUT, CUT))
        .isEqualTo("one.jfr: " + no + "; chunk 2 at byte 99: it is cut off (and 1 more damage)");
    assertThat(nothing(List.of(ONE), CUT, CUT, CUT)).endsWith(" (and 2 more damages)");
    assertThat(said()).isEmpty();
    assertThat(nothing(List.of(ONE), CUT, WHOLE)).isEqualTo("one.jfr: " + no);
    assertThat(said())
        .containsExactly(
            "buftrail: one.jfr: chunk 2 at byte 99: it is cut off",
            "buftrail: two.jfr: not a flight recording");
    assertThat(nothing(List.of(ONE, TWO), CUT)).isEqualTo(no);
    assertThat(said()).containsExactly("buftrail: one.jfr: chunk 2 at byte 99: it is cut off");
    assertThat(nothing(List.of(ONE, TWO))).isEqualTo(no);
    assertThat(said()).isEmpty();
  }

  @Name("my.Z")
  private static final class Most extends Event {}

  @Name("my.Y")
  private static final class Fewer extends Event {}

  @Name("my.X")
  private static final class Fewest extends Event {}

  @Name("my.A")
  private static final class Rare extends Event {}

  @Name("my.B")
  private static final class Rarer extends Event {}

  /** The three types that the recording has most of, not those that come first by name. */
  @Test
  void whatBecomesNoProfileIsNamedByItsNumber(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("own.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      new Rare().commit();
      new Rarer().commit();
      for (int i = 0; i < 3000; i++) {
        new Most().commit();
        if (i % 3 != 0) {
          new Fewer().commit();
        }
        if (i % 2 == 0) {
          new Fewest().commit();
        }
      }
      recording.stop();
      recording.dump(file);
    }
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(file));
    assertThat(NothingToWrite.of(List.of(file), conversion, true))
        .hasMessage(
            file
                + ": nothing to convert: none of its events becomes a profile by itself; there are"
                + " 3000 my.Z, 2000 my.Y, 1500 my.X and 2 more types (buftrail info lists them; --event converts one)");
  }
}
