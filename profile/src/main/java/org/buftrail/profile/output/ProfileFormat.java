package org.buftrail.profile.output;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The formats that there are, for recordings, profiles and flows, each with the endings of its
 * files.
 */
public enum ProfileFormat {
  /** Text for people. */
  TEXT(false, ".txt"),
  /** JSON: a snapshot of flows as itself, all else as {@link #OTLP_JSON}. */
  JSON(false, ".json"),
  /** OpenTelemetry protobuf, all kinds in one file. */
  OTLP(false, ".otlp"),
  /** OTLP in JSON. */
  OTLP_JSON(false, ".otlp.json"),
  /** pprof, one kind a file. */
  PPROF(false, ".pb.gz", ".pprof"),
  /** A self-contained page with one flame graph for each kind. */
  HTML(false, ".html", ".htm"),
  /** The same page, which opens on when samples were taken. */
  HEATMAP(false, ".heatmap.html"),
  /** Collapsed stacks, one kind a file. */
  COLLAPSED(false, ".collapsed", ".folded"),
  /** The file format of speedscope, all kinds in one file. */
  SPEEDSCOPE(false, ".speedscope.json", ".speedscope"),
  /** A Graphviz graph of flows. */
  DOT(true, ".dot"),
  /** A Mermaid flowchart of flows. */
  MERMAID(true, ".mmd"),
  /** Flows as structured text for language models. */
  LLM(true, ".llm");

  private final boolean flowsOnly;

  /** An unmodifiable list, which is more than the checker can see. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> endings;

  ProfileFormat(boolean flowsOnly, String... endings) {
    this.flowsOnly = flowsOnly;
    this.endings = List.of(endings);
  }

  /** Whether it shows flows and has no place for other profiles. */
  public boolean isForFlowsOnly() {
    return flowsOnly;
  }

  /** The ending that files of this format are given, with its dot, in lower case. */
  public String ending() {
    return endings.get(0);
  }

  /** The same without the dot. */
  public String extension() {
    return ending().substring(1);
  }

  /**
   * Splits a file's name before the ending.
   *
   * @return two parts, the second empty if the name has no ending of this format
   */
  public String[] split(String name) {
    String ending = endingOf(name);
    int cut = name.length() - ending.length();
    return new String[] {name.substring(0, cut), name.substring(cut)};
  }

  private String endingOf(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (String ending : endings) {
      if (lower.endsWith(ending)) {
        return ending;
      }
    }
    return "";
  }

  /** The format of a file by its name, whatever the case: that of the longest ending. */
  public static Optional<ProfileFormat> ofFile(String name) {
    ProfileFormat best = null;
    int longest = 0;
    for (ProfileFormat format : values()) {
      int length = format.endingOf(name).length();
      if (length > longest) {
        best = format;
        longest = length;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The format that a word names: its own name, or an ending without the dot, in any case. */
  public static Optional<ProfileFormat> ofWord(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (ProfileFormat format : values()) {
      if (format.toString().equals(lower) || format.endings.contains('.' + lower)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Every ending, for messages. */
  public static String allEndings() {
    return Arrays.stream(values())
        .flatMap(format -> format.endings.stream())
        .collect(Collectors.joining(" "));
  }

  /** As options have it, such as {@code otlp-json}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
