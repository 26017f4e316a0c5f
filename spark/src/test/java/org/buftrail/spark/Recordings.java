package org.buftrail.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Profile;

/** The recordings of the repository, and what the converter says of them. */
final class Recordings {
  static final Path DIRECTORY = Path.of("../jfr/src/test/resources/recordings").toAbsolutePath();

  private Recordings() {}

  static Path packed(String name) {
    return DIRECTORY.resolve(name + ".jfr.gz").normalize();
  }

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY.normalize())) {
      return files.sorted().toList();
    }
  }

  static byte[] bytes(String name) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed(name)))) {
      return in.readAllBytes();
    }
  }

  /** Recordings one behind the other in one file. */
  static Path joined(Path file, String... names) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      for (String name : names) {
        out.write(bytes(name));
      }
    }
    return file;
  }

  /** By kind: how many values, and the sums of both. */
  static Map<String, List<Long>> converted(Path file) throws IOException {
    Map<String, List<Long>> sums = new TreeMap<>();
    Options options = Options.DEFAULT.timestamps(true);
    for (Profile profile : new Converter(options).convert(List.of(file)).profiles().profiles()) {
      boolean isFirst = profile.column() == 0;
      sums.merge(
          profile.name(),
          List.of(
              isFirst ? (long) profile.samples().observations().size() : 0L,
              isFirst ? profile.total() : 0L,
              isFirst ? 0L : profile.total()),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1), a.get(2) + b.get(2)));
    }
    return sums;
  }
}
