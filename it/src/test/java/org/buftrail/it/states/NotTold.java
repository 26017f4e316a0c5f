package org.buftrail.it.states;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a surface does not tell a state. */
final class NotTold {
  private static final String COUNTS = "it has counts on paths, and no place for anything else";
  private static final String SERIES = "a series for each path would be too many";
  private static final String COMPARED = "a suspect is one of a moment, which cannot be compared";
  private static final String LEAKS_ALONE = "it is about new leaks and alerts";
  private static final String EVENTS = "the event of totals has it; it becomes no profile";

  private static final Map<String, String> UNCHANGED =
      Map.of(
          "Two roots of one name", "it lists paths that changed, and none did",
          "Two reference counts on one way", "it lists paths that changed, and none did",
          "Resources", "it lists paths that changed, and none did");

  private static final Map<String, Map<String, String>> REASONS =
      Map.ofEntries(
          both("`dump` .pb.gz", COUNTS),
          both("`dump` .collapsed", COUNTS),
          both("`dump` .dot", COUNTS),
          both("`dump` .mmd", COUNTS),
          totals("`/metrics`"),
          totals("Micrometer"),
          totals("OpenTelemetry"),
          Map.entry("`diff` with itself", UNCHANGED),
          Map.entry(
              "`diff` with a later one",
              Map.of(
                  "Two roots of one name",
                  "it counts what differs by no more than one sampling error, as these do",
                  "Two reference counts on one way",
                  "it lists paths that changed, and these did not")),
          Map.entry("events, by `convert`", Map.of("Released", EVENTS, "Dropped", EVENTS)));

  private static final String HEALTH = "it is about buffers; `/metrics` says how the agent is";
  private static final List<String> METERS = List.of("Micrometer", "OpenTelemetry");

  /** What says nothing of an agent that follows nothing new. */
  private static final Map<String, String> STOPS =
      Map.of(
          "Micrometer", HEALTH,
          "OpenTelemetry", HEALTH,
          "pprof", COUNTS,
          "collapsed", COUNTS,
          "events of Flight Recorder", HEALTH,
          "events, by `convert`", HEALTH);

  /** What says nothing of flows that nobody knows enough about. */
  private static final Map<String, String> DECIDED =
      Map.of(".pb.gz at shutdown", COUNTS, ".collapsed at shutdown", COUNTS);

  private static final List<String> EMPTY =
      List.of(
          "sum of all pushes", "OpenTelemetry profiles", "pprof", "collapsed", "DOT", "Mermaid");

  private static final List<String> NOTIFIED = List.of("Leaked");

  private NotTold() {}

  private static Map.Entry<String, Map<String, String>> both(String surface, String reason) {
    return Map.entry(surface, Map.of("Suspect", reason, "Misused", reason));
  }

  private static Map.Entry<String, Map<String, String>> totals(String surface) {
    return Map.entry(
        surface,
        Map.of(
            "Two roots of one name", SERIES,
            "Two reference counts on one way", SERIES,
            "No hops", SERIES));
  }

  /** Null where it must tell it. */
  static @Nullable String reason(String surface, String state) {
    if (surface.equals("notifications")) {
      return NOTIFIED.contains(state) ? null : LEAKS_ALONE;
    }
    if (surface.startsWith("`diff`") && state.equals("Suspect")) {
      return COMPARED;
    }
    if (surface.startsWith("`diff`") && state.equals("Held by what leaked")) {
      return "what leaked is compared, with its bytes; what it held is a part of that";
    }
    if (METERS.contains(surface) && state.equals("Past a bound")) {
      return HEALTH;
    }
    if (state.equals("Switched off") || state.startsWith("Given up")) {
      return STOPS.get(surface);
    }
    if (state.equals("No Netty at all")) {
      return EMPTY.contains(surface) ? "it has paths, and there are none" : null;
    }
    if (state.equals("Undecided at the end")) {
      return DECIDED.get(surface);
    }
    return REASONS.getOrDefault(surface, Map.of()).get(state);
  }
}
