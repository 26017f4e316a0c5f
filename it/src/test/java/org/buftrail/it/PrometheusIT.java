package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.it.programs.Operated;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus' own tool has nothing to say against the metrics and the rules. Runs with {@code
 * -Dpromtool}, if promtool is there.
 */
@Tag("promtool")
final class PrometheusIT {
  private static final Pattern PAGE = Pattern.compile("live page at (http://[0-9.:]+/)");
  private static final String TOKEN = "0123456789abcdef";
  private static final String OPTIONS =
      ";http=0;httpToken=" + TOKEN + ";resource=java.nio.channels.Selector:open=open,close=close";

  @TempDir private Path directory;

  @Test
  void promtoolHasNothingToSay() throws Exception {
    List<String> line =
        List.of(
            "-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE + OPTIONS,
            "-cp",
            Setting.newest().classPath(),
            Operated.class.getName());
    try (RunningProgram program = new RunningProgram(directory, Setting.newest().java(), line)) {
      program.await("ready");
      String metrics = metrics(program);
      assertThat(metrics)
          .contains("buftrail_buffers_live{memory=\"direct\"} 4\n")
          .contains("buftrail_buffers_leaked_total{memory=\"direct\"} 5\n");
      Process promtool = promtool("check", "metrics");
      try (OutputStream in = promtool.getOutputStream()) {
        in.write(metrics.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(promtool.getInputStream().readAllBytes()).asString().isEmpty();
      assertThat(promtool.waitFor()).isZero();
      program.stop();
    }
  }

  /** The rules of the documents are well-formed, fire when they should, and only then. */
  @Test
  void theRulesFireWhenTheyShould() throws Exception {
    Path repository = Setting.JAR.resolveSibling("../..");
    for (String file :
        List.of(
            "docs/monitoring/prometheus-rules.yaml",
            "it/src/test/resources/monitoring/rules-test.yaml")) {
      Path source = repository.resolve(file);
      Files.copy(source, directory.resolve(source.getFileName()));
    }
    for (String what : List.of("check rules prometheus-rules.yaml", "test rules rules-test.yaml")) {
      Process promtool = promtool(what.split(" ", -1));
      String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(promtool.waitFor()).as(said).isZero();
      assertThat(said).contains("SUCCESS");
    }
  }

  private Process promtool(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static String metrics(RunningProgram program) throws Exception {
    Matcher page = PAGE.matcher(program.err());
    for (int i = 0; i < 600 && !page.find(); i++) {
      Thread.sleep(100);
      page = PAGE.matcher(program.err());
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page.group(1) + "metrics"))
            .header("Authorization", "Bearer " + TOKEN)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
