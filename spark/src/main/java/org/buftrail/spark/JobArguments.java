package org.buftrail.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.buftrail.profile.output.ProfileFormat;

/**
 * The command line of {@link FleetJob}.
 *
 * @param before of {@code diff} alone, as {@code after}
 */
record JobArguments(
    String command,
    String in,
    String out,
    String by,
    List<ProfileFormat> formats,
    String where,
    String before,
    String after) {
  private static final Set<String> COMMANDS = Set.of("dataset", "profiles", "diff");

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException if it is wrong, with what is
   */
  static JobArguments of(String... arguments) {
    List<String> named = new ArrayList<>();
    String by = "service";
    String where = "";
    List<ProfileFormat> formats = List.of(ProfileFormat.OTLP, ProfileFormat.HTML);
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (!argument.startsWith("--")) {
        named.add(argument);
        continue;
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(argument + " needs a value");
      }
      String value = arguments[++i];
      switch (argument) {
        case "--by" -> by = value;
        case "--where" -> where = value;
        case "--format" -> formats = formats(value);
        default -> throw new IllegalArgumentException("no such option: " + argument);
      }
    }
    String command = named.isEmpty() ? "" : named.get(0);
    if (!COMMANDS.contains(command)) {
      throw new IllegalArgumentException("no such command: \"" + command + "\"");
    }
    int expected = command.equals("diff") ? 5 : 3;
    if (named.size() != expected) {
      throw new IllegalArgumentException(
          command + " takes " + (expected - 1) + " names, not " + (named.size() - 1));
    }
    return new JobArguments(
        command,
        named.get(1),
        named.get(2),
        by,
        formats,
        where,
        expected == 5 ? named.get(3) : "",
        expected == 5 ? named.get(4) : "");
  }

  private static List<ProfileFormat> formats(String names) {
    List<ProfileFormat> formats = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      try {
        ProfileFormat format =
            ProfileFormat.valueOf(name.toUpperCase(Locale.ROOT).replace('.', '_'));
        if (!format.isForFlowsOnly()) {
          formats.add(format);
          continue;
        }
      } catch (IllegalArgumentException e) {
        // Said below, as of one that profiles cannot have.
      }
      throw new IllegalArgumentException(
          "--format " + name + ": such as otlp, html, pprof, collapsed");
    }
    return formats;
  }
}
