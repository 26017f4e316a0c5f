package org.buftrail.it.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;

/** Writes what has leaked into the file {@code leaked}, round after round. */
public final class RoundsWriter implements MetricsHandler {
  @Override
  public String name() {
    return "rounds";
  }

  @Override
  public Set<String> wanted() {
    return Set.of("leaked");
  }

  @Override
  public void onMetrics(FlowMetrics metrics) {
    String leaked = metrics.values().get("leaked") + "\n";
    try {
      Files.write(Path.of("leaked"), leaked.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
