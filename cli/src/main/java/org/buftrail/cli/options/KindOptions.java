package org.buftrail.cli.options;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Kind;

/** One option for each kind of profile. */
final class KindOptions {
  private final List<KindFlag> kinds = new ArrayList<>();
  private final List<PartFlag> parts =
      List.of(
          new PartFlag("--cpu-time", "cpu_time", "Like --cpu, but only cpu_time."),
          new PartFlag("--nativelock", "lock_native", "Like --lock, but only lock_native."));
  private final Flag all =
      new Flag(
          "--all", "Every kind that the recording has: the default. The options above select.");

  /** Names a kind. */
  private static final class KindFlag extends Flag {
    private final Kind kind;

    KindFlag(Kind kind) {
      super("--" + kind.option());
      this.kind = kind;
    }

    @Override
    String[] description() {
      return new String[] {kind.text() + ": " + String.join(", ", profiles(kind)) + "."};
    }
  }

  /** Names a profile of a kind. */
  private static final class PartFlag extends Flag {
    private final String profile;

    PartFlag(String name, String profile, String description) {
      super(name, description);
      this.profile = profile;
    }
  }

  KindOptions() {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.EVENT) {
        kinds.add(new KindFlag(kind));
      }
    }
  }

  void addTo(List<CommandOption> options) {
    options.addAll(kinds);
    options.addAll(parts);
    options.add(all);
  }

  /** Those that are named. */
  Set<Kind> kinds() {
    Set<Kind> named = EnumSet.noneOf(Kind.class);
    for (KindFlag flag : kinds) {
      if (flag.isGiven()) {
        named.add(flag.kind);
      }
    }
    return named;
  }

  /** Profiles that are named by options of their own, as parts of their kinds. */
  Set<String> parts() {
    Set<String> named = new LinkedHashSet<>();
    for (PartFlag flag : parts) {
      if (flag.isGiven()) {
        named.add(flag.profile);
      }
    }
    return named;
  }

  boolean isAll() {
    return all.isGiven();
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
}
