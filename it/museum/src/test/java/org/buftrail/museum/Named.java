package org.buftrail.museum;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the culprit stands among the methods that a reader is shown. */
enum Named {
  FIRST("first"),
  AMONG_THREE("among three"),
  FURTHER("further"),
  ABSENT("no");

  private static final Pattern LAMBDA = Pattern.compile("(?:.*\\$)?lambda\\$(.+?)\\$\\d+");
  private static final Pattern FRAME = Pattern.compile("^\\s+(?:\\S+/)?([\\w.$<>]+)\\([^)]*\\)$");

  final String text;

  Named(String text) {
    this.text = text;
  }

  /**
   * In the first leak of a report: its hops from the last one up, or the frames that it gives as
   * evidence. For a double release the report names two methods, and either may be the mistake.
   */
  static Named by(JsonNode report, List<String> culprits) {
    JsonNode leak = firstLeak(report);
    if (leak != null) {
      return nearer(
          among(named(leak, culprits), culprits), inEvidence(leak.path("evidence"), culprits));
    }
    Named best = ABSENT;
    for (JsonNode misuse : report.path("misuses")) {
      Named second = among(List.of(method(misuse.path("site"))), culprits);
      Named first = among(hops(misuse.path("path"), culprits), culprits);
      Named seen = inEvidence(misuse.path("evidence"), culprits);
      best = nearer(best, nearer(seen, nearer(first, second)));
    }
    return best;
  }

  /**
   * What had the buffers is named before the last hop, if that only read; behind it, if it puts
   * them into a collection, the methods of its class that release.
   */
  private static List<String> named(JsonNode leak, List<String> culprits) {
    List<String> methods = hops(leak, culprits);
    methods.addAll(Math.min(1, methods.size()), releasing(leak));
    if (leak.has("lastOwner")) {
      methods.add(0, method(leak.path("lastOwner")));
    }
    return methods;
  }

  /** As many as texts and pages name. */
  private static List<String> releasing(JsonNode leak) {
    JsonNode last = leak.path("sites").path(leak.path("sites").size() - 1);
    List<String> methods = new ArrayList<>();
    for (JsonNode each : last.path("collects")) {
      if (methods.size() < 3) {
        String method = each.asText().replaceFirst(":\\d+$", "");
        methods.add(written(last.path("class").asText() + "." + method));
      }
    }
    return methods;
  }

  /** By the path of the first leak alone. */
  static Named byPath(JsonNode report, List<String> culprits) {
    JsonNode leak = firstLeak(report);
    return leak == null ? ABSENT : among(hops(leak, culprits), culprits);
  }

  private static Named nearer(Named one, Named other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Of the places where most of the flows were asked for, retained last, handed to last, and
   * released: by libraries' methods, or by the application's and what called it.
   */
  private static Named inEvidence(JsonNode evidence, List<String> culprits) {
    Named best = ABSENT;
    for (String kind : List.of("askedFor", "retained", "handed", "released")) {
      JsonNode most = evidence.path(kind).path(0);
      List<String> library = new ArrayList<>();
      most.path("library").forEach(site -> library.add(method(site)));
      List<String> own = new ArrayList<>();
      if (most.has("own")) {
        own.add(method(most.path("own")));
      }
      most.path("callers").forEach(site -> own.add(method(site)));
      best = nearer(best, nearer(among(library, culprits), among(own, culprits)));
    }
    return best;
  }

  static @Nullable JsonNode firstLeak(JsonNode report) {
    for (JsonNode path : report.path("paths")) {
      if (path.path("leaked").asLong() > 0) {
        return path;
      }
    }
    return null;
  }

  /** In the best report of Netty's detector: the frames of its records, in their order. */
  static Named byDetector(String output, List<String> culprits) {
    Named best = ABSENT;
    for (int start = output.indexOf("LEAK:"); start >= 0; ) {
      int end = output.indexOf("LEAK:", start + 1);
      String report = output.substring(start, end < 0 ? output.length() : end);
      best = nearer(best, among(frames(report, culprits), culprits));
      start = end;
    }
    return best;
  }

  private static List<String> frames(String report, List<String> culprits) {
    Set<String> frames = new LinkedHashSet<>();
    report
        .lines()
        .map(FRAME::matcher)
        .filter(Matcher::matches)
        .map(frame -> written(frame.group(1)))
        .filter(frame -> tells(frame, culprits))
        .forEach(frames::add);
    return new ArrayList<>(frames);
  }

  private static Named among(List<String> methods, List<String> culprits) {
    for (int i = 0; i < methods.size(); i++) {
      if (culprits.contains(methods.get(i))) {
        return i == 0 ? FIRST : i < 3 ? AMONG_THREE : FURTHER;
      }
    }
    return ABSENT;
  }

  /** The methods of a path from the last one up, each once where it stands twice in a row. */
  private static List<String> hops(JsonNode path, List<String> culprits) {
    List<String> methods = new ArrayList<>();
    for (JsonNode site : path.path("sites")) {
      String method = method(site);
      if (tells(method, culprits) && (methods.isEmpty() || !methods.get(0).equals(method))) {
        methods.add(0, method);
      }
    }
    return methods;
  }

  private static String method(JsonNode site) {
    return written(site.path("class").asText() + "." + site.path("method").asText());
  }

  /** The method that somebody wrote, of a hop or a frame. */
  private static String written(String method) {
    String name = method.substring(method.lastIndexOf('.') + 1).replaceAll("_return$", "");
    Matcher lambda = LAMBDA.matcher(name);
    return method.substring(0, method.lastIndexOf('.') + 1)
        + (lambda.matches() ? lambda.group(1) : name);
  }

  /** Allocators, buffers and the detector itself name nobody, unless the mistake is theirs. */
  private static boolean tells(String method, List<String> culprits) {
    return culprits.contains(method)
        || !(method.startsWith("io.netty.buffer.") || method.startsWith("io.netty.util."));
  }
}
