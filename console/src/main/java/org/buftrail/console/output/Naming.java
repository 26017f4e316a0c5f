package org.buftrail.console.output;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.buftrail.jfr.Recording;
import org.buftrail.profile.output.ProfileFormat;

/** Names of outputs in a directory, one for each input. */
public final class Naming {
  private final Path directory;
  private final String ending;
  private final Set<String> taken = new HashSet<>();

  public Naming(Path directory, ProfileFormat format) {
    this.directory = directory;
    this.ending = format.ending();
  }

  /** An input's name without the ending of a recording or of a format. */
  public static String withoutEnding(String file) {
    String name = Recording.withoutEnding(file);
    return name.equals(file)
        ? ProfileFormat.ofFile(file).map(format -> format.split(file)[0]).orElse(file)
        : name;
  }

  /** Where the output of an input goes; inputs of the same name are numbered. */
  public String target(Path input) {
    Path last = input.getFileName();
    String file = last == null ? "" : last.toString();
    String name = file.equals(Output.STANDARD) ? "stdin" : withoutEnding(file);
    String unique = name;
    for (int i = 2; !taken.add(unique); i++) {
      unique = name + '-' + i;
    }
    return directory.resolve(unique + ending).toString();
  }
}
