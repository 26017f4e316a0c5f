package org.buftrail.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.buftrail.model.SummedProcesses;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

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
  private static final String BEFORE = " added up before";

  private final String service;
  private final List<Snapshot> snapshots;

  /**
   * @param service the service and version that all are of
   * @param snapshots one or more, with hops by the same rules
   */
  public Pods(String service, List<Snapshot> snapshots) {
    this.service = service;
    this.snapshots = List.copyOf(snapshots);
  }

  /** Snapshots by their service and version, in the order in which these were met. */
  public static List<Pods> of(List<Snapshot> snapshots) {
    Map<String, List<Snapshot>> groups = new LinkedHashMap<>();
    for (Snapshot snapshot : snapshots) {
      groups.computeIfAbsent(service(snapshot), any -> new ArrayList<>()).add(snapshot);
    }
    List<Pods> all = new ArrayList<>();
    groups.forEach((service, each) -> all.add(new Pods(service, each)));
    return all;
  }

  private static String service(Snapshot snapshot) {
    SummedProcesses sum = snapshot.processes();
    if (sum != null) {
      return sum.service();
    }
    TrackedProcess process = snapshot.process();
    if (process == null || process.name().isEmpty()) {
      return "unnamed";
    }
    return process.version().isEmpty() ? process.name() : process.name() + " " + process.version();
  }

  /** The service and version that all are of. */
  public String service() {
    return service;
  }

  /**
   * All together: taken when the last was, with what each process brings to it, and without what
   * allocators keep and what only one process can say.
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
        .withHopRules(snapshots.get(0).hopRules())
        .with(processes());
  }

  private SummedProcesses processes() {
    List<SummedProcesses.Share> all = new ArrayList<>();
    for (Snapshot each : snapshots) {
      SummedProcesses sum = each.processes();
      if (sum == null) {
        all.add(new SummedProcesses.Share(name(each), each.allocated(), each.leaked(), ""));
      } else {
        all.addAll(sum.shares());
      }
    }
    List<SummedProcesses.Share> shares = new ArrayList<>();
    for (SummedProcesses.Share each : all) {
      shares.add(
          new SummedProcesses.Share(
              each.process(), each.allocated(), each.leaked(), difference(each, all)));
    }
    List<Leak> partial = partialLeaks();
    List<SummedProcesses.PartialLeak> listed = new ArrayList<>();
    for (Leak leak : partial.subList(0, Math.min(MOST_PATHS, partial.size()))) {
      listed.add(new SummedProcesses.PartialLeak(place(leak.most), names(leak)));
    }
    return new SummedProcesses(service, shares, listed, unlisted(partial.size() - listed.size()));
  }

  /** Those that a sum among them does not list are not listed now either. */
  private int unlisted(int here) {
    int most = here;
    for (Snapshot each : snapshots) {
      SummedProcesses sum = each.processes();
      most = sum == null ? most : Math.max(most, sum.unlisted());
    }
    return most;
  }

  private static String name(Snapshot snapshot) {
    SummedProcesses sum = snapshot.processes();
    if (sum != null) {
      String some = sum.unlisted() == 0 ? "all " : "some of ";
      return some + Wording.count(sum.shares().size()) + BEFORE;
    }
    TrackedProcess process = snapshot.process();
    if (process == null) {
      return "unnamed";
    }
    String pid = String.valueOf(process.pid());
    return process.host().isEmpty() ? pid : process.host() + "/" + pid;
  }

  private static String difference(SummedProcesses.Share one, List<SummedProcesses.Share> all) {
    long leaked = 0;
    List<Double> rates = new ArrayList<>();
    for (SummedProcesses.Share each : all) {
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
      return rate == 0 ? "" : "leaks, unlike most";
    }
    if (rate == 0) {
      return "leaks nothing, unlike most";
    }
    if (rate > DIFFERENT * median) {
      return "leaks " + times(rate / median) + " times as often as most";
    }
    return median > DIFFERENT * rate
        ? "leaks " + times(median / rate) + " times less often than most"
        : "";
  }

  private static double rate(SummedProcesses.Share share) {
    return (double) share.leaked().count() / share.allocated();
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

  /** Leaks that some processes have and others have not, most frequent first. */
  private List<Leak> partialLeaks() {
    Map<PathKey, Leak> leaks = new LinkedHashMap<>();
    for (Snapshot each : snapshots) {
      for (Path path : each.paths()) {
        if (path.leaked().count() > 0) {
          leaks.computeIfAbsent(new PathKey(path), any -> new Leak(path)).add(path, each);
        }
      }
    }
    List<Leak> partial = new ArrayList<>(leaks.values());
    Set<String> known = new HashSet<>();
    partial.removeIf(leak -> leak.in.size() == snapshots.size() && !isOfSome(leak, known));
    partial.sort(
        Comparator.comparingLong((Leak leak) -> -leak.most.leaked().count())
            .thenComparing(leak -> place(leak.most)));
    return partial;
  }

  private static String place(Path path) {
    return Wording.fullPlace(Wording.last(path));
  }

  /** Whether a sum among them says first that not all of its processes have a leak there. */
  private static boolean isOfSome(Leak leak, Set<String> known) {
    String place = place(leak.most);
    for (Snapshot each : leak.in) {
      if (someOf(each, place) != null && isOneLeak(each, place)) {
        return known.add(place);
      }
    }
    return false;
  }

  /** Those processes of a sum that alone have a leak, as it says; null if it says nothing. */
  private static @Nullable String someOf(Snapshot snapshot, String place) {
    SummedProcesses sum = snapshot.processes();
    if (sum != null) {
      for (SummedProcesses.PartialLeak leak : sum.partialLeaks()) {
        if (leak.place().equals(place)) {
          String some = leak.processes();
          if (!isOneLeak(snapshot, place)) {
            some = "some of " + Wording.count(sum.shares().size());
          }
          return some.contains(" of ") && !some.endsWith(BEFORE) ? some + BEFORE : some;
        }
      }
    }
    return null;
  }

  /** Else a sum may mean another of its leaks there. */
  private static boolean isOneLeak(Snapshot snapshot, String place) {
    Set<PathKey> leaks = new HashSet<>();
    for (Path path : snapshot.paths()) {
      if (path.leaked().count() > 0 && place(path).equals(place)) {
        leaks.add(new PathKey(path));
      }
    }
    return leaks.size() == 1;
  }

  private int processCount() {
    int count = 0;
    for (Snapshot each : snapshots) {
      SummedProcesses sum = each.processes();
      count += sum == null ? 1 : sum.shares().size();
    }
    return count;
  }

  private String names(Leak leak) {
    if (leak.in.size() > MOST_NAMES) {
      boolean isKnown = leak.in.stream().allMatch(each -> each.processes() == null);
      String some = isKnown ? Wording.count(leak.in.size()) : "some";
      return some + " of " + Wording.count(processCount());
    }
    List<String> names = new ArrayList<>();
    for (Snapshot each : leak.in) {
      String some = someOf(each, place(leak.most));
      names.add(some == null ? name(each) : some);
    }
    return String.join(", ", names);
  }
}
