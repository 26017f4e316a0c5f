package org.buftrail.agent.page;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.metrics.PrometheusText;
import org.buftrail.agent.source.Collected;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.History;
import org.buftrail.agent.source.ProcessLook;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.model.Minutes;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowHtml;
import org.buftrail.report.FlowReports;
import org.buftrail.report.MinutesJson;
import org.buftrail.report.ProcessMemoryJson;
import org.buftrail.report.http.Response;
import org.jspecify.annotations.Nullable;

/** The resource at each address. Thread-safe. */
final class Pages {
  private static final String JSON = "application/json";

  /** How often several pages that look at one process make it look at its memory. */
  private static final long PROCESS_MILLIS = FlowSource.PROCESS_MILLIS / 2;

  /** Less than the page waits for an answer. */
  private static final long COLLECTION_MILLIS = 8_000;

  private static final String DOWNLOAD = "/api/snapshot.";
  private static final Pattern POLICY =
      Pattern.compile("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");

  /** The one method of each address. */
  static final Map<String, String> ROUTES = routes();

  /** The page itself holds nothing of the application: it asks for the token, and then for that. */
  static final Set<String> OPEN = Set.of("/");

  private final FlowSource source;
  private final Supplier<TrackedProcess> process;
  private final History history;
  private final @Nullable SnapshotFiles files;
  private final PrometheusText metrics = new PrometheusText();
  private final byte[] page;
  private final String pagePolicy;

  /** Writes a body that is text. */
  private interface Text {
    void write(Appendable out) throws IOException;
  }

  /**
   * @param process whose flows these are; asked for without a snapshot
   * @throws IOException if the jar has no page
   */
  Pages(FlowSource source, Supplier<TrackedProcess> process, @Nullable SnapshotFiles files)
      throws IOException {
    this.source = source;
    this.process = process;
    this.history = source.keepHistory();
    this.files = files;
    try (InputStream in = Pages.class.getResourceAsStream("live.html")) {
      if (in == null) {
        throw new IOException("live.html is missing from the jar");
      }
      page = in.readAllBytes();
    }
    Matcher policy = POLICY.matcher(new String(page, StandardCharsets.UTF_8));
    if (!policy.find()) {
      throw new IOException("live.html has no policy");
    }
    pagePolicy = policy.group(1) + "; frame-ancestors 'none'";
  }

  private static Map<String, String> routes() {
    Map<String, String> routes = new HashMap<>();
    for (String address :
        new String[] {
          "/",
          "/metrics",
          "/api/flows",
          "/api/history",
          "/api/minutes",
          "/api/process",
          "/api/about"
        }) {
      routes.put(address, "GET");
    }
    for (ProfileFormat format : ProfileFormat.values()) {
      routes.put(DOWNLOAD + format.extension(), "GET");
    }
    routes.put("/api/snapshot", "POST");
    routes.put("/api/reset", "POST");
    routes.put("/api/collect", "POST");
    return Map.copyOf(routes);
  }

  /** The page, the same for all. */
  Response page() {
    return Response.of(Gate.OK, page)
        .header("Content-Type", "text/html; charset=utf-8")
        .header("Content-Security-Policy", pagePolicy);
  }

  /**
   * Writes once to nowhere what all answers are made with. Classes that the JDK loads on first use
   * can then no longer fail because the application has used up its descriptors, which would leave
   * those classes unusable for the application too.
   */
  void rehearse() throws IOException {
    Snapshot now = source.whole(source.snapshot(FlowSource.FRESH_MILLIS));
    StringBuilder nowhere = new StringBuilder();
    metrics.write(now, nowhere);
    FlowHtml.model(now, nowhere);
    history.write(new JsonOut(nowhere));
    minutes(source.minutes(), nowhere);
    About.write(process.get(), files != null, nowhere);
    FlowReports.write(now, ProfileFormat.TEXT, OutputStream.nullOutputStream());
  }

  /**
   * The answer at one of the {@link #ROUTES} that is not {@link #OPEN}, or null where there is
   * none.
   *
   * @throws IOException when it cannot be made
   */
  @Nullable Response get(String address) throws IOException {
    switch (address) {
      case "/metrics":
        Snapshot all =
            source.withRecentProcess(
                source.withRecentPools(source.sinceStart(FlowSource.FRESH_MILLIS)));
        return text(PrometheusText.TYPE, out -> metrics.write(all, out));
      case "/api/flows":
        Snapshot shown = source.withRecentPools(source.snapshot(FlowSource.FRESH_MILLIS));
        return text(JSON, out -> FlowHtml.model(shown, out));
      case "/api/history":
        return text(JSON, out -> history.write(new JsonOut(out)));
      case "/api/minutes":
        Minutes minutes = source.minutes();
        return text(JSON, out -> minutes(minutes, out));
      case "/api/process":
        ProcessLook.Answer whole = source.process(PROCESS_MILLIS);
        return text(JSON, out -> whole(whole, out));
      case "/api/about":
        return text(JSON, out -> About.write(process.get(), files != null, out));
      case "/api/collect":
        Collected collected = Collected.now(source, COLLECTION_MILLIS);
        return text(JSON, out -> collected(collected, out));
      case "/api/reset":
        source.reset();
        return text(JSON, out -> out.append("{}"));
      case "/api/snapshot":
        return files == null ? null : snapshotFile(files);
      default:
        return download(address.substring(DOWNLOAD.length()));
    }
  }

  private static void minutes(@Nullable Minutes minutes, Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject();
    if (minutes != null) {
      MinutesJson.writeForPage(minutes, json.name("minutes"));
    }
    json.endObject();
  }

  private static void whole(ProcessLook.Answer answer, Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("takenAt").value(Instant.ofEpochMilli(answer.atMillis()).toString());
    ProcessMemory memory = answer.memory();
    if (memory == null) {
      json.name("unknown").value(answer.reason());
    } else {
      ProcessMemoryJson.members(memory, json.name("resident").beginObject());
      json.endObject();
    }
    json.endObject();
  }

  private static void collected(Collected collected, Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("collected").value(collected.hasHappened());
    json.name("leaked").value(collected.leaked().count());
    json.name("leakedBytes").value(collected.leaked().bytes());
    json.name("undecided").value(collected.undecided());
    json.name("text").value(collected.text()).endObject();
  }

  private Response snapshotFile(SnapshotFiles to) throws IOException {
    Path file = to.write(source.whole(source.sinceStart(0)), "page");
    if (file == null) {
      throw new IOException("the snapshot could not be written");
    }
    return text(
        JSON,
        out -> new JsonOut(out).beginObject().name("file").value(file.toString()).endObject());
  }

  private Response download(String extension) {
    ProfileFormat format =
        ProfileFormat.ofFile("flows." + extension).orElseThrow(IllegalStateException::new);
    Snapshot snapshot = source.withRecentProcess(source.whole(source.snapshot(0)));
    return Response.of(Gate.OK, out -> FlowReports.write(snapshot, history::write, format, out))
        .header("Content-Type", "application/octet-stream")
        .header("Content-Disposition", "attachment; filename=\"flows." + extension + "\"");
  }

  private static Response text(String type, Text text) {
    return Response.of(
            Gate.OK,
            out -> {
              Writer writer =
                  new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 14);
              text.write(writer);
              writer.flush();
            })
        .header("Content-Type", type);
  }
}
