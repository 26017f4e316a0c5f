package org.buftrail.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What fuzzing found once does no harm any more. */
final class CorpusTest {
  private static void run(String target, Consumer<byte[]> call) throws IOException {
    List<Path> files;
    try (Stream<Path> below = Files.list(Path.of("corpus", target))) {
      files = below.sorted().toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      call.accept(Files.readAllBytes(file));
    }
  }

  @Test
  void theCorpusPasses() throws IOException {
    run("ReaderTarget", ReaderTarget::fuzzerTestOneInput);
    run("ConverterTarget", ConverterTarget::fuzzerTestOneInput);
    run("CheckerTarget", CheckerTarget::fuzzerTestOneInput);
    run("PackingTarget", PackingTarget::fuzzerTestOneInput);
    run("FormTarget", FormTarget::fuzzerTestOneInput);
  }
}
