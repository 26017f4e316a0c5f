package org.buftrail.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what has the same key, as a list made of several snapshots has it.
 *
 * <p>Code that compares two snapshots finds a path again by its {@link PathKey}, and a misuse by
 * its {@link MisuseKey}. Stateless.
 */
public final class Unique {
  private Unique() {}

  /** The paths in their order, none equal to another; the list itself where none was. */
  static List<Path> paths(List<Path> paths) {
    Map<PathKey, Path> unique = new LinkedHashMap<>();
    for (Path path : paths) {
      PathKey key = new PathKey(path);
      Path before = unique.putIfAbsent(key, path);
      if (before != null) {
        unique.put(key, sum(before, path));
      }
    }
    return unique.size() == paths.size() ? paths : List.copyOf(unique.values());
  }

  /** The misuses in their order, none with the key of another. */
  public static List<Misuse> misuses(List<Misuse> misuses) {
    Map<MisuseKey, Misuse> unique = new LinkedHashMap<>();
    for (Misuse misuse : misuses) {
      MisuseKey key = new MisuseKey(misuse);
      Misuse before = unique.putIfAbsent(key, misuse);
      if (before != null) {
        unique.put(key, sum(before, misuse));
      }
    }
    return List.copyOf(unique.values());
  }

  private static Misuse sum(Misuse one, Misuse other) {
    Misuse more = one.count() >= other.count() ? one : other;
    long count = one.count() + other.count();
    return new Misuse(
            one.kind(),
            one.site(),
            count,
            one.hops(),
            more.earlier(),
            one.stack().isEmpty() ? other.stack() : one.stack())
        .with(sum(one.evidence(), other.evidence()));
  }

  private static Path sum(Path one, Path other) {
    long first = Math.min(one.firstSeenMillis(), other.firstSeenMillis());
    long last = Math.max(one.lastSeenMillis(), other.lastSeenMillis());
    boolean mostAreOfOne = one.live().count() >= other.live().count();
    // A file of an older agent does not say which methods only read.
    return new Path(
            one.lastOwner() == null ? other.hops() : one.hops(),
            one.isDirect(),
            one.released().plus(other.released()),
            one.leaked().plus(other.leaked()),
            one.live().plus(other.live()),
            Math.max(one.oldestMillis(), other.oldestMillis()),
            (mostAreOfOne ? one : other).medianMillis(),
            first != Path.NEVER ? first : Math.max(one.firstSeenMillis(), other.firstSeenMillis()),
            last)
        .with(one.dropped().plus(other.dropped()), one.held() + other.held())
        .with(sum(one.evidence(), other.evidence()))
        .withLive(
            one.liveParts() + other.liveParts(), sum(one.liveEvidence(), other.liveEvidence()));
  }

  private static @Nullable Evidence sum(@Nullable Evidence one, @Nullable Evidence other) {
    return new Evidence.Builder().addAll(one).addAll(other).build();
  }
}
