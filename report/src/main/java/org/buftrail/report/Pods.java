package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;

/**
 * Snapshots of several processes of one service and version: what they add up to, and which of them
 * differ from the others. Belongs to one thread.
 */
public final class Pods {
  /** Leaks this many times as often as in the median process, or as seldom, are reported. */
  private static final double DIFFERENT = 2;

  /** Fewer leaks are chance. */
  private static final long LEAST = 10;

  private static final int MOST_PATHS = 5;
  private static final int MOST_NAMES = 3;

  private final List<Snapshot> snapshots;

  /**
   * @param snapshots one or more, with hops by the same rules
   */
  public Pods(List<Snapshot> snapshots) {
    this.snapshots = List.copyOf(snapshots);
  }

  /** Snapshots by their service and version, in the order in which these were met. */
  public static Map<String, Pods> of(List<Snapshot> snapshots) {
    Map<String, List<Snapshot>> groups = new LinkedHashMap<>();
    for (Snapshot snapshot : snapshots) {
      groups.computeIfAbsent(service(snapshot), any -> new ArrayList<>()).add(snapshot);
    }
    Map<String, Pods> all = new LinkedHashMap<>();
    groups.forEach((service, each) -> all.put(service, new Pods(each)));
    return all;
  }

  private static String service(Snapshot snapshot) {
    TrackedProcess process = snapshot.process();
    if (process == null || process.name().isEmpty()) {
      return "unnamed";
    }
    return process.version().isEmpty() ? process.name() : process.name() + " " + process.version();
  }

  /** How many there are. */
  public int count() {
    return snapshots.size();
  }

  /**
   * All together, as if they were one process: taken when the last was, and without what allocators
   * keep and what only one process can say.
   */
  public Snapshot sum() {
    long takenAt = 0;
    int sampling = 1;
    long allocated = 0;
    long overflowed = 0;
    List<Path> paths = new ArrayList<>();
    List<Misuse> misuses = new ArrayList<>();
    TrackerStatus.Builder status = new TrackerStatus.Builder();
    long errors = 0;
    long lost = 0;
    long undecided = 0;
    for (Snapshot each : snapshots) {
      takenAt = Math.max(takenAt, each.takenAtMillis());
      sampling = Math.max(sampling, each.sampling());
      allocated += each.allocated();
      overflowed += each.overflowed();
      paths.addAll(each.paths());
      misuses.addAll(each.misuses());
      errors += each.status().suppressedErrors();
      lost += each.status().lostReleases();
      undecided += each.status().undecided();
      if (each.status().stop() != null) {
        status.stop(each.status().stop());
      }
    }
    status.suppressedErrors(errors).lostReleases(lost).undecided(undecided);
    return new Snapshot(takenAt, sampling, allocated, overflowed, status.build(), paths, misuses)
        .withHopRules(snapshots.get(0).hopRules());
  }

  /**
   * Writes a line for each process, with how it differs, and the leaks that only some have.
   *
   * @param service as {@link #of} names it
   */
  public void write(String service, Appendable out) throws IOException {
    int width = "process".length();
    for (Snapshot each : snapshots) {
      width = Math.max(width, name(each).length());
    }
    out.append(Wording.ascii(service))
        .append(": ")
        .append(Wording.count(snapshots.size()))
        .append(snapshots.size() == 1 ? " process\n\n  " : " processes\n\n  ")
        .append(Wording.left("process", width))
        .append("     allocated        leaked         bytes\n");
    for (Snapshot each : snapshots) {
      out.append("  ")
          .append(Wording.left(name(each), width))
          .append(Wording.right(Wording.count(each.allocated()), 14))
          .append(Wording.right(Wording.count(each.leaked().count()), 14))
          .append(Wording.right(Wording.bytes(each.leaked().bytes()), 14))
          .append(difference(each))
          .append('\n');
    }
    out.append('\n');
    writePaths(out);
  }

  private static String name(Snapshot snapshot) {
    TrackedProcess process = snapshot.process();
    if (process == null) {
      return "unnamed";
    }
    String pid = String.valueOf(process.pid());
    return process.host().isEmpty() ? pid : Wording.ascii(process.host()) + "/" + pid;
  }

  private String difference(Snapshot one) {
    long leaked = 0;
    List<Double> rates = new ArrayList<>();
    for (Snapshot each : snapshots) {
      leaked += each.leaked().count();
      if (each.allocated() > 0) {
        rates.add(rate(each));
      }
    }
    if (one.allocated() == 0 || leaked < LEAST) {
      return "";
    }
    rates.sort(null);
    double median = rates.get((rates.size() - 1) / 2);
    double rate = rate(one);
    if (median == 0) {
      return rate == 0 ? "" : "  leaks, unlike most";
    }
    if (rate == 0) {
      return "  leaks nothing, unlike most";
    }
    if (rate > DIFFERENT * median) {
      return "  leaks " + times(rate / median) + " times as often as most";
    }
    return median > DIFFERENT * rate
        ? "  leaks " + times(median / rate) + " times less often than most"
        : "";
  }

  private static double rate(Snapshot snapshot) {
    return (double) snapshot.leaked().count() / snapshot.allocated();
  }

  private static String times(double ratio) {
    return Wording.count(Math.round(ratio));
  }

  /** A path on which flows leaked, and the processes in which they did. */
  private static final class Leak {
    private Path most;
    private final List<Snapshot> in = new ArrayList<>();

    private Leak(Path path) {
      most = path;
    }

    private void add(Path path, Snapshot snapshot) {
      most = path.leaked().count() > most.leaked().count() ? path : most;
      in.add(snapshot);
    }
  }

  /** Tells of leaks that some processes have and others have not. */
  private void writePaths(Appendable out) throws IOException {
    Map<PathKey, Leak> leaks = new LinkedHashMap<>();
    for (Snapshot each : snapshots) {
      for (Path path : each.paths()) {
        if (path.leaked().count() > 0) {
          leaks.computeIfAbsent(new PathKey(path), any -> new Leak(path)).add(path, each);
        }
      }
    }
    List<Leak> partial = new ArrayList<>(leaks.values());
    partial.removeIf(leak -> leak.in.size() == snapshots.size());
    partial.sort(
        Comparator.comparingLong((Leak leak) -> -leak.most.leaked().count())
            .thenComparing(leak -> place(leak.most)));
    for (Leak leak : partial.subList(0, Math.min(MOST_PATHS, partial.size()))) {
      out.append("  leaks in ")
          .append(names(leak.in))
          .append(" alone: last seen in ")
          .append(place(leak.most))
          .append('\n');
    }
    if (partial.size() > MOST_PATHS) {
      out.append("  and ")
          .append(Wording.count(partial.size() - MOST_PATHS))
          .append(" more that not all have\n");
    }
    if (!partial.isEmpty()) {
      out.append('\n');
    }
  }

  private static String place(Path path) {
    return Wording.fullPlace(Wording.last(path));
  }

  private String names(List<Snapshot> some) {
    if (some.size() > MOST_NAMES) {
      return Wording.count(some.size()) + " of " + Wording.count(snapshots.size());
    }
    List<String> names = new ArrayList<>();
    some.forEach(each -> names.add(name(each)));
    return String.join(", ", names);
  }
}
