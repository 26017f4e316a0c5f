package org.buftrail.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The forms in which profiles can be written, each with the endings of its files. */
enum ProfileFormat {
  /** OpenTelemetry protobuf, all kinds in one file. */
  OTLP(".otlp"),
  /** The same as JSON. */
  JSON(".json"),
  /** pprof, one kind a file. */
  PPROF(".pb.gz", ".pprof"),
  /** Collapsed stacks, one kind a file. */
  COLLAPSED(".collapsed"),
  /** A self-contained page with one flame graph for each kind. */
  HTML(".html", ".htm");

  /** An unmodifiable list, which is more than the checker can see. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> endings;

  ProfileFormat(String... endings) {
    this.endings = List.of(endings);
  }

  /** The ending that files of this form are given. */
  String ending() {
    return endings.get(0);
  }

  /** What a file's name says about it, split before the ending. */
  String[] split(String name) {
    for (String ending : endings) {
      if (name.toLowerCase(Locale.ROOT).endsWith(ending)) {
        int cut = name.length() - ending.length();
        return new String[] {name.substring(0, cut), name.substring(cut)};
      }
    }
    return new String[] {name, ""};
  }

  /** The format of a file by its name, whatever the case. */
  static Optional<ProfileFormat> ofFile(String name) {
    for (ProfileFormat format : values()) {
      if (!format.split(name)[1].isEmpty()) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Every ending, for messages. */
  static String allEndings() {
    return Arrays.stream(values())
        .flatMap(format -> format.endings.stream())
        .collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
