package org.buftrail.mutated;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.buftrail.mutated.Changes.Input;

/** Sound inputs of each form that is read. */
final class Seeds {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final Path SNAPSHOTS = Path.of("../it/src/test/resources/older");
  private static final List<String> NAMES =
      List.of("jdk-50-10-100", "dd-50-10-100", "jdk21", "jdk25", "killed-25", "async-profiler");
  private static final List<String> PROFILES = List.of("otlp", "otlp.json", "pb.gz", "collapsed");

  private Seeds() {}

  /** Recordings, what is made of three of them, and snapshots of flows. */
  static List<Input> all(Path work) throws IOException {
    List<Input> all = recordings();
    for (int i = 0; i < 3; i++) {
      Path recording = Files.write(work.resolve("seed.jfr"), all.get(i).bytes);
      for (String form : PROFILES) {
        List<String> line =
            List.of(
                "convert", recording.toString(), "-o", work.resolve("seeds." + form).toString());
        if (Ended.run(line).exit() != 0) {
          throw new IOException("cannot make a seed: " + line);
        }
      }
    }
    for (Path file : files(work)) {
      String name = Objects.requireNonNull(file.getFileName()).toString();
      if (name.startsWith("seeds.")) {
        PROFILES.stream()
            .filter(form -> name.endsWith("." + form))
            .findFirst()
            .ifPresent(form -> all.add(input(form, file)));
      }
      Files.delete(file);
    }
    for (Path file : files(SNAPSHOTS)) {
      if (file.toString().endsWith(".json")) {
        all.add(input("json", file));
      }
    }
    // What an exporter with nothing to send makes.
    all.add(new Input(".otlp", new byte[] {0x0A, 0x00}));
    return all;
  }

  /** Recordings alone. */
  static List<Input> recordings() throws IOException {
    List<Input> all = new ArrayList<>();
    for (String name : NAMES) {
      try (InputStream in =
          new GZIPInputStream(Files.newInputStream(RECORDINGS.resolve(name + ".jfr.gz")))) {
        all.add(new Input(".jfr", in.readAllBytes()));
      }
    }
    return all;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Input input(String form, Path file) {
    try {
      return new Input("." + form, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
