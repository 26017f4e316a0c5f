package org.buftrail.it;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sockets on which a process listens. Linux only. */
final class Listeners {
  private static final String LISTENING = "0A";

  private Listeners() {}

  /** Their local addresses, in hexadecimal digits, sorted. */
  static List<String> of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor)) {
          sockets.add(Files.readSymbolicLink(descriptor).toString());
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        String[] parts = line.trim().split(" +", -1);
        if (parts.length > 9
            && parts[3].equals(LISTENING)
            && sockets.contains("socket:[" + parts[9] + "]")) {
          found.add(parts[1]);
        }
      }
    }
    found.sort(null);
    return found;
  }
}
