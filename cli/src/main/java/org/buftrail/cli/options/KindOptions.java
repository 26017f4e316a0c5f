package org.buftrail.cli.options;

import java.util.LinkedHashSet;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** One option for each kind of profile. */
public final class KindOptions {
  private KindOptions() {}

  /**
   * A command with such options.
   *
   * @param wanted gets the kinds that are named
   * @param profiles gets the profiles that are named by options of their own
   */
  public static CommandLine commandLine(Object command, Set<Kind> wanted, Set<String> profiles) {
    CommandLine line = new CommandLine(command);
    for (Kind kind : Kind.values()) {
      if (kind != Kind.EVENT) {
        String text = kind.text() + ": " + String.join(", ", profiles(kind)) + ".";
        line.getCommandSpec().addOption(option(kind.option(), text, wanted, kind));
      }
    }
    line.getCommandSpec()
        .addOption(option("cpu-time", "Of --cpu only cpu_time.", profiles, "cpu_time"))
        .addOption(option("nativelock", "Of --lock only lock_native.", profiles, "lock_native"));
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("--all")
                .arity("0")
                .type(boolean.class)
                .description(
                    "Every kind that the recording has: the default. The options above select.")
                .build());
    return line;
  }

  /** The kind of a profile; that of named events if it is none of those that are known. */
  static Kind kind(String name) {
    for (Kind kind : Kind.values()) {
      if (profiles(kind).contains(name)) {
        return kind;
      }
    }
    return Kind.EVENT;
  }

  private static Set<String> profiles(Kind kind) {
    Set<String> names = new LinkedHashSet<>();
    for (EventKind event : Kinds.all()) {
      for (ProfileType profile : event.profileTypes()) {
        if (profile.kind() == kind) {
          names.add(profile.name());
        }
      }
    }
    return names;
  }

  private static <V> OptionSpec option(String name, String text, Set<V> named, V value) {
    return OptionSpec.builder("--" + name)
        .arity("0")
        .type(boolean.class)
        .description(text)
        .setter(
            new ISetter() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> @Nullable T set(T given) {
                if (Boolean.TRUE.equals(given)) {
                  named.add(value);
                }
                return null;
              }
            })
        .build();
  }
}
