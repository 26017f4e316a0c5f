package org.buftrail.cli;

import java.util.LinkedHashSet;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** One option for each kind of profile. */
final class KindOptions {
  private KindOptions() {}

  /**
   * A command with such options.
   *
   * @param wanted gets the kinds that are named
   */
  static CommandLine commandLine(Object command, Set<Kind> wanted) {
    CommandLine line = new CommandLine(command);
    for (Kind kind : Kind.values()) {
      if (kind != Kind.EVENT) {
        line.getCommandSpec().addOption(option(kind, wanted));
      }
    }
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

  private static OptionSpec option(Kind kind, Set<Kind> wanted) {
    return OptionSpec.builder("--" + kind.option())
        .arity("0")
        .type(boolean.class)
        .description(kind.text() + ": " + String.join(", ", profiles(kind)) + ".")
        .setter(
            new ISetter() {
              @Override
              @SuppressWarnings("unchecked")
              public <T> @Nullable T set(T value) {
                if (Boolean.TRUE.equals(value)) {
                  wanted.add(kind);
                }
                return null;
              }
            })
        .build();
  }
}
