package org.buftrail.agent.page;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.metrics.PrometheusText;
import org.buftrail.agent.report.FlowHtml;
import org.buftrail.agent.report.ReportFormat;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.flow.Snapshot;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** What is at each address. Thread-safe. */
final class Pages {
  private static final String JSON = "application/json";
  private static final String DOWNLOAD = "/api/snapshot.";
  private static final Pattern POLICY =
      Pattern.compile("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");

  /** The one method of each address. */
  static final Map<String, String> ROUTES = routes();

  /** The page itself holds nothing of the application: it asks for the token, and then for that. */
  static final Set<String> OPEN = Set.of("/");

  private final FlowSource source;
  private final History history;
  private final @Nullable SnapshotFiles files;
  private final PrometheusText metrics = new PrometheusText();

  /** Writes the body. */
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  /** Writes a body that is text. */
  private interface Text {
    void write(Appendable out) throws IOException;
  }

  /** Status, head and body. Immutable. */
  static final class Answer {
    private final int status;
    private final String type;
    private final @Nullable String fileName;
    private final @Nullable String policy;
    private final Body body;

    private Answer(
        int status, String type, @Nullable String fileName, @Nullable String policy, Body body) {
      this.status = status;
      this.type = type;
      this.fileName = fileName;
      this.policy = policy;
      this.body = body;
    }

    int status() {
      return status;
    }

    String type() {
      return type;
    }

    /** What a browser saves it as, or null to show it. */
    @Nullable String fileName() {
      return fileName;
    }

    /** The content security policy that it needs, or null for the strictest. */
    @Nullable String policy() {
      return policy;
    }

    Body body() {
      return body;
    }
  }

  Pages(FlowSource source, History history, @Nullable SnapshotFiles files) {
    this.source = source;
    this.history = history;
    this.files = files;
  }

  private static Map<String, String> routes() {
    Map<String, String> routes = new HashMap<>();
    for (String address : new String[] {"/", "/metrics", "/api/flows", "/api/history"}) {
      routes.put(address, "GET");
    }
    for (ReportFormat format : ReportFormat.values()) {
      routes.put(DOWNLOAD + format.extension(), "GET");
    }
    routes.put("/api/snapshot", "POST");
    routes.put("/api/reset", "POST");
    return Map.copyOf(routes);
  }

  /** The answer at one of the {@link #ROUTES}. */
  Answer get(String address) throws IOException {
    switch (address) {
      case "/":
        return page();
      case "/metrics":
        Snapshot all = source.sinceStart(FlowSource.FRESH_MILLIS);
        return text(PrometheusText.TYPE, out -> metrics.write(all, out));
      case "/api/flows":
        Snapshot shown = source.snapshot(FlowSource.FRESH_MILLIS);
        return text(JSON, out -> FlowHtml.model(shown, out));
      case "/api/history":
        return text(JSON, history::write);
      case "/api/reset":
        source.reset();
        return text(JSON, out -> out.append("{}"));
      case "/api/snapshot":
        return snapshotFile();
      default:
        return download(address.substring(DOWNLOAD.length()));
    }
  }

  private static Answer page() throws IOException {
    byte[] page;
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
    return new Answer(
        Gate.OK,
        "text/html; charset=utf-8",
        null,
        policy.group(1) + "; frame-ancestors 'none'",
        out -> out.write(page));
  }

  private Answer snapshotFile() {
    if (files == null) {
      return new Answer(409, JSON, null, null, out -> {});
    }
    Path file = files.write(source.sinceStart(0), "page");
    if (file == null) {
      return new Answer(500, JSON, null, null, out -> {});
    }
    return text(
        JSON,
        out -> new JsonOut(out).beginObject().name("file").value(file.toString()).endObject());
  }

  private Answer download(String extension) {
    ReportFormat format =
        ReportFormat.ofFile("flows." + extension).orElseThrow(IllegalStateException::new);
    Snapshot snapshot = source.snapshot(0);
    return new Answer(
        Gate.OK,
        "application/octet-stream",
        "flows." + extension,
        null,
        out -> format.write(snapshot, out));
  }

  private static Answer text(String type, Text text) {
    return new Answer(
        Gate.OK,
        type,
        null,
        null,
        out -> {
          Writer writer =
              new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 14);
          text.write(writer);
          writer.flush();
        });
  }
}
