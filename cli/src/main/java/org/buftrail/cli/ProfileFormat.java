package org.buftrail.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.html.ProfileHtml;
import org.buftrail.profile.otlp.OtlpWriter;

/** The forms in which profiles can be written, each with the endings of its files. */
enum ProfileFormat {
  /** OpenTelemetry protobuf. */
  OTLP((profiles, out) -> new OtlpWriter().write(profiles, out), ".otlp", ".pb"),
  /** A self-contained page with one flame graph for each kind. */
  HTML(ProfileFormat::html, ".html", ".htm");

  /** A method without state, which is more than the checker can see. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final FormatWriter writer;

  @SuppressWarnings("ImmutableEnumChecker")
  private final String[] endings;

  /** Writes one form. */
  private interface FormatWriter {
    void write(Profiles profiles, OutputStream out) throws IOException;
  }

  ProfileFormat(FormatWriter writer, String... endings) {
    this.writer = writer;
    this.endings = endings;
  }

  private static void html(Profiles profiles, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    ProfileHtml.write(profiles, text);
    text.flush();
  }

  void write(Profiles profiles, OutputStream out) throws IOException {
    writer.write(profiles, out);
  }

  /** The ending that files of this form are given. */
  String ending() {
    return endings[0];
  }

  /** The format of a file by its name, whatever the case. */
  static Optional<ProfileFormat> ofFile(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(format -> Arrays.stream(format.endings).anyMatch(lower::endsWith))
        .findFirst();
  }

  /** Every ending, for messages. */
  static String allEndings() {
    return Arrays.stream(values())
        .flatMap(format -> Arrays.stream(format.endings))
        .collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
