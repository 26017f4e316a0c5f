package org.buftrail.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.buftrail.console.output.Naming;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a conversion reads, where it writes, and in which format.
 *
 * @param inputs as given
 * @param output as given; null if it is named after the input
 * @param format as given; null if the output's ending says it
 */
public record Destination(
    List<Path> inputs, @Nullable String output, @Nullable ProfileFormat format) {
  /**
   * Reads what a command line says. Users of jfrconv name the output last, and a format with {@code
   * -o}: {@code convert in.jfr out.html}, {@code convert -o html in.jfr}.
   */
  public static Destination of(
      List<Path> files, @Nullable String output, @Nullable ProfileFormat format) {
    String named = output;
    ProfileFormat chosen = format;
    if (output != null && format == null && !Files.isDirectory(Path.of(output))) {
      chosen = ProfileFormat.ofWord(output).orElse(null);
      named = chosen == null ? output : null;
    }
    int last = files.size() - 1;
    if (named == null && last > 0) {
      List<Path> others = List.copyOf(files.subList(0, last));
      if (isOutput(files.get(last), others)) {
        return new Destination(others, files.get(last).toString(), chosen);
      }
    }
    return new Destination(files, named, chosen);
  }

  /** Names that might all be inputs are never overwritten. */
  private static boolean isOutput(Path last, List<Path> others) {
    if (ProfileFormat.ofFile(last.toString()).isEmpty()) {
      return false;
    }
    if (Files.exists(last)) {
      for (Path other : others) {
        if (ProfileFormat.ofFile(other.toString()).isPresent()) {
          return false;
        }
      }
    }
    return true;
  }

  /** The directory that takes one output for each input; null if all become one. */
  public @Nullable Path directory() {
    boolean directory =
        output != null
            && (output.endsWith("/") || Files.isDirectory(Path.of(output)))
            && !output.equals(Output.STANDARD);
    return directory ? Path.of(Objects.requireNonNull(output)) : null;
  }

  /** The one output. */
  public String target() throws RecordingException {
    if (output != null) {
      return output;
    }
    if (inputs.size() > 1) {
      throw new WrongUsage("several inputs need -o OUT");
    }
    Path input = inputs.get(0);
    List<Path> found =
        Files.notExists(input) ? Recording.matching(List.of(input)).files() : List.of(input);
    if (found.size() > 1) {
      throw new WrongUsage("several inputs need -o OUT");
    }
    input = found.get(0);
    if (input.toString().equals(Output.STANDARD)) {
      throw new WrongUsage("standard input needs -o OUT");
    }
    if (Files.exists(input) && !Files.isRegularFile(input) && !Files.isDirectory(input)) {
      throw new WrongUsage(input + " is no file: it needs -o OUT");
    }
    Path last = input.getFileName();
    if (last == null || List.of("", ".", "..").contains(last.toString())) {
      throw new WrongUsage("'" + input + "' has no name for an output: it needs -o OUT");
    }
    return Naming.withoutEnding(input.toString())
        + Objects.requireNonNullElse(format, ProfileFormat.OTLP).ending();
  }

  /** The format of one output. */
  public ProfileFormat formatOf(String target) {
    if (format != null) {
      return format;
    }
    if (target.equals(Output.STANDARD)) {
      return ProfileFormat.OTLP;
    }
    Optional<ProfileFormat> known = ProfileFormat.ofFile(target);
    if (known.isEmpty()) {
      throw new WrongUsage(
          "the format of "
              + target
              + " is not known; end its name in one of "
              + ProfileFormat.allEndings()
              + " or give --format");
    }
    return known.get();
  }
}
