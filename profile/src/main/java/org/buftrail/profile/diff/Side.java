package org.buftrail.profile.diff;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;

/** What one side of a comparison says of itself. Immutable. */
public final class Side {
  /**
   * The event of a recording, and its field, in which the agent says how many flows there were
   * since its start. With its profile, which keeps the times, leaks are compared by flows.
   */
  public static final String STATISTICS = "buftrail.FlowStatistics:allocated";

  private final String service;
  private final String host;
  private final long timeNanos;
  private final long durationNanos;
  private final long allocatedFlows;

  private Side(String service, String host, long timeNanos, long durationNanos, long allocated) {
    this.service = service;
    this.host = host;
    this.timeNanos = timeNanos;
    this.durationNanos = durationNanos;
    this.allocatedFlows = allocated;
  }

  static Side of(List<Profiles> side) {
    long time = 0;
    long duration = 0;
    for (Profiles profiles : side) {
      for (Profile profile : profiles.profiles()) {
        time = time == 0 || profile.time() < time ? profile.time() : time;
        duration = Math.max(duration, profile.duration());
      }
    }
    return new Side(
        attribute(side, "service.name"), attribute(side, "host.name"), time, duration, flows(side));
  }

  private static String attribute(List<Profiles> side, String key) {
    for (Profiles profiles : side) {
      Map<String, Object> resource = profiles.resource().asMap();
      if (resource.get(key) instanceof String) {
        return (String) resource.get(key);
      }
    }
    return "";
  }

  /** Whether it holds totals since the start of the agent, of which no sum can be made. */
  static boolean isStatistics(Profile profile) {
    return profile.name().equals(STATISTICS);
  }

  private static long flows(List<Profiles> side) {
    long allocated = 0;
    for (Profiles profiles : side) {
      for (Profile profile : profiles.profiles()) {
        if (isStatistics(profile) && profile.samples().isObserved()) {
          allocated += growth(profile);
        }
      }
    }
    return allocated;
  }

  /** From the first event to the last; 0 if these see less than half of the time. */
  private static long growth(Profile profile) {
    Observations all = profile.samples().observations();
    long least = Long.MAX_VALUE;
    long most = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int sample = 0; sample < profile.samples().size(); sample++) {
      for (int i = 0; i < all.count(sample); i++) {
        least = Math.min(least, all.value(sample, i, profile.column()));
        most = Math.max(most, all.value(sample, i, profile.column()));
        first = Math.min(first, all.time(sample, i));
        last = Math.max(last, all.time(sample, i));
      }
    }
    return first <= last && last - first >= profile.duration() / 2 ? most - least : 0;
  }

  /** The name of the service; empty where it is not known. */
  public String service() {
    return service;
  }

  /** The name of the host; empty where it is not known. */
  public String host() {
    return host;
  }

  /** When it began, in nanoseconds since the epoch; 0 where that is not known. */
  public long timeNanos() {
    return timeNanos;
  }

  /** How long it lasted, in nanoseconds; 0 where that is not known. */
  public long durationNanos() {
    return durationNanos;
  }

  /** How many flows began during the recording; 0 where that is not known. */
  long allocatedFlows() {
    return allocatedFlows;
  }

  /** {@code orders on host-1, 2026-01-31T12:00:00Z, 12.3 s}, as far as it is known. */
  public String text() {
    List<String> parts = new ArrayList<>();
    if (!service.isEmpty()) {
      parts.add(host.isEmpty() ? service : service + " on " + host);
    } else if (!host.isEmpty()) {
      parts.add("on " + host);
    }
    if (timeNanos > 0) {
      Instant time = Instant.ofEpochSecond(0, timeNanos).truncatedTo(ChronoUnit.SECONDS);
      parts.add(time.toString());
    }
    if (durationNanos >= 10_000_000) {
      parts.add(String.format(Locale.ROOT, "%,.1f s", durationNanos / 1e9));
    }
    return String.join(", ", parts);
  }
}
