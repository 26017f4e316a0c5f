package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.buftrail.model.Contrast;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Structured text for language models: metadata, leaks, flows; one line each, {@code key=value}.
 *
 * <p>Every line can be understood alone, numbers are plain, the worst comes first, and what is left
 * out at the end is counted.
 */
final class LlmReport {
  /** Flows listed. A path takes 20 to 200 tokens. */
  static final int MAX_FLOWS = 500;

  private LlmReport() {}

  static void write(Snapshot snapshot, Appendable out) throws IOException {
    List<Path> sorted = PathOrder.sorted(snapshot);
    List<Path> leaks = PathOrder.leaks(sorted);
    out.append("METADATA\n");
    out.append("format=buftrail.llm version=1 taken_at=");
    out.append(Instant.ofEpochMilli(snapshot.takenAtMillis()).toString());
    number(out, "sampling", snapshot.sampling());
    number(out, "allocated", snapshot.allocated());
    flows(out, snapshot.released(), snapshot.leaked(), snapshot.live());
    unreleased(out, snapshot.held(), snapshot.dropped());
    number(out, "overflowed", snapshot.overflowed());
    number(out, "suppressed_errors", snapshot.suppressedErrors());
    number(out, "paths", sorted.size());
    number(out, "leak_paths", leaks.size());
    List<Suspects.Suspect> suspects = Suspects.of(snapshot);
    List<Misuse> misuses = PathOrder.misuses(snapshot);
    if (!suspects.isEmpty()) {
      number(out, "suspect_paths", suspects.size());
    }
    if (!misuses.isEmpty()) {
      number(out, "misuses", FigureValues.of(snapshot).get(Figure.MISUSES));
    }
    tracker(snapshot.status(), out);
    String advice = Advice.text(snapshot);
    if (advice != null) {
      out.append(" advice=\"").append(advice).append('"');
    }
    out.append(
        "\nlegend: path=first hop (allocator) to last hop (where the buffers were last seen)");
    out.append(" as class.method:line[reference count], (returned)=to its caller;");
    out.append(" released, leaked (collected without");
    out.append(" release) and live count buffers whose last hop this is; *_bytes are capacities;");
    out.append(" undecided=live flows that may be lost, for no collection has decided about them;");
    out.append(" held=more buffers that leaked inside these; dropped=collected without release,");
    out.append(" but nothing was lost (unpooled heap, wrapped memory): no leak;");
    out.append(
        " live_parts=live flows that are parts of composites live there too, one thing with");
    out.append(" these for people; live_as=the message or collection that has them;");
    out.append(" last_owner=where last_seen can only read: the nearest hop above that could have");
    out.append(" released;");
    out.append(" severity critical=direct memory, moderate=heap or other resources\n");
    SummedProcessesText.writeForLlm(snapshot.processes(), out);
    out.append("\nLEAKS\n");
    leaks(leaks, ContrastText.of(sorted, snapshot.sampling()), out);
    suspects(suspects, out);
    misuses(misuses, out);
    LlmMemory.write(snapshot, out);
    ProcessMemoryText.writeForLlm(snapshot.resident(), out);
    HistogramText.writeForLlm(sorted, out);
    out.append("\nFLOWS\n");
    flows(sorted, out);
  }

  /** With the path whose release came first, and that of the life before where it is known. */
  private static void misuses(List<Misuse> misuses, Appendable out) throws IOException {
    if (misuses.isEmpty()) {
      return;
    }
    out.append("\nMISUSES: path=where the release came first\n");
    int rank = 0;
    for (Misuse misuse : misuses.subList(0, Math.min(misuses.size(), MAX_FLOWS))) {
      out.append("misuse rank=").append(Integer.toString(++rank));
      number(out, "times", misuse.count());
      out.append(" kind=\"").append(misuse.kind().text()).append('"');
      out.append(" at=").append(Wording.ascii(misuse.site().toString()));
      hops(" path=", misuse.hops(), out);
      if (!misuse.earlier().isEmpty()) {
        hops(" earlier_life_path=", misuse.earlier(), out);
      }
      evidence(EvidenceText.sentences(misuse), out);
      out.append('\n');
    }
    rest(misuses.size(), out);
  }

  private static void tracker(TrackerStatus status, Appendable out) throws IOException {
    if (status.undecided() > 0) {
      number(out, "undecided", status.undecided());
    }
    if (status.isAtEnd()) {
      out.append(" at_end=true");
    }
    if (status.lostReleases() > 0) {
      number(out, "lost_releases", status.lostReleases());
    }
    TrackerStatus.@Nullable Stop stop = status.stop();
    if (stop != null) {
      out.append(" not_following_since=").append(Wording.time(stop.sinceMillis()));
      out.append(" because=\"").append(Wording.ascii(stop.reason()).replace('"', '\''));
      out.append('"');
    }
  }

  private static void leaks(List<Path> leaks, Contrast contrast, Appendable out)
      throws IOException {
    int rank = 0;
    for (Path leak : leaks.subList(0, Math.min(leaks.size(), MAX_FLOWS))) {
      out.append("leak rank=").append(Integer.toString(++rank));
      out.append(" severity=").append(leak.isDirect() ? "critical" : "moderate");
      out.append(" memory=").append(Wording.memory(leak));
      number(out, "leaked", leak.leaked().count());
      number(out, "leaked_bytes", leak.leaked().bytes());
      unreleased(out, leak.held(), Path.Flows.NONE);
      number(out, "live", leak.live().count());
      out.append(" last_seen=").append(Wording.fullPlace(Wording.last(leak)));
      Path.Hop owner = leak.lastOwner();
      if (owner != null) {
        out.append(" last_owner=").append(Wording.fullPlace(owner));
      }
      if (leak.firstSeenMillis() != Path.NEVER) {
        out.append(" first_found=").append(Wording.time(leak.firstSeenMillis()));
        out.append(" last_found=").append(Wording.time(leak.lastSeenMillis()));
      }
      evidence(EvidenceText.sentences(leak), out);
      String sentence = ContrastText.sentence(contrast, leak);
      if (sentence != null) {
        out.append(" contrast=\"").append(sentence).append('"');
      }
      path(leak, out);
    }
    rest(leaks.size(), out);
  }

  private static void evidence(List<String> sentences, Appendable out) throws IOException {
    if (!sentences.isEmpty()) {
      out.append(" evidence=\"").append(String.join("; ", sentences)).append('"');
    }
  }

  private static void suspects(List<Suspects.Suspect> suspects, Appendable out) throws IOException {
    if (!suspects.isEmpty()) {
      out.append("\nSUSPECTS (not proved by a collection)\n");
    }
    for (Suspects.Suspect suspect : suspects) {
      Path path = suspect.path();
      out.append("suspect memory=").append(Wording.memory(path));
      number(out, "live", path.live().count());
      number(out, "live_bytes", path.live().bytes());
      together(path, out);
      number(out, "arrived", suspect.arrived());
      number(out, "gone", suspect.gone());
      number(out, "oldest_ms", path.oldestMillis());
      out.append(" because=\"").append(SuspectText.lifetimes(suspect)).append('"');
      path(path, out);
    }
  }

  private static void flows(List<Path> paths, Appendable out) throws IOException {
    for (Path path : paths.subList(0, Math.min(paths.size(), MAX_FLOWS))) {
      out.append("flow memory=").append(Wording.memory(path));
      flows(out, path.released(), path.leaked(), path.live());
      unreleased(out, path.held(), path.dropped());
      together(path, out);
      if (path.oldestMillis() >= 0) {
        number(out, "oldest_ms", path.oldestMillis());
      }
      if (path.medianMillis() >= 0) {
        number(out, "median_ms", path.medianMillis());
      }
      path(path, out);
    }
    rest(paths.size(), out);
  }

  /** Writes what the live flows are as people count them, where that is known. */
  private static void together(Path path, Appendable out) throws IOException {
    if (path.liveParts() > 0) {
      number(out, "live_parts", path.liveParts());
    }
    String what = EvidenceText.live(path);
    if (what != null) {
      out.append(" live_as=\"").append(what).append('"');
    }
  }

  private static void rest(int paths, Appendable out) throws IOException {
    if (paths == 0) {
      out.append("none\n");
    } else if (paths > MAX_FLOWS) {
      out.append("not_listed=").append(Integer.toString(paths - MAX_FLOWS)).append('\n');
    }
  }

  private static void path(Path path, Appendable out) throws IOException {
    hops(" path=", path.hops(), out);
    out.append('\n');
  }

  static void hops(String name, List<Path.Hop> hops, Appendable out) throws IOException {
    out.append(name);
    String arrow = "";
    for (Path.Hop hop : ShownHops.of(hops)) {
      out.append(arrow).append(Wording.fullPlace(hop));
      out.append('[').append(Wording.ascii(hop.refs())).append(']');
      out.append(hop.isLoop() ? "(loop)" : "").append(hop.isOverflow() ? "(overflow)" : "");
      out.append(ShownHops.isReturn(hop.site()) ? "(returned)" : "");
      arrow = " > ";
    }
  }

  private static void flows(Appendable out, Path.Flows released, Path.Flows leaked, Path.Flows live)
      throws IOException {
    number(out, "released", released.count());
    number(out, "leaked", leaked.count());
    number(out, "live", live.count());
    number(out, "released_bytes", released.bytes());
    number(out, "leaked_bytes", leaked.bytes());
    number(out, "live_bytes", live.bytes());
  }

  private static void unreleased(Appendable out, long held, Path.Flows dropped) throws IOException {
    if (held > 0) {
      number(out, "held", held);
    }
    if (dropped.count() > 0) {
      number(out, "dropped", dropped.count());
      number(out, "dropped_bytes", dropped.bytes());
    }
  }

  static void number(Appendable out, String name, long value) throws IOException {
    out.append(' ').append(name).append('=').append(Long.toString(value));
  }
}
