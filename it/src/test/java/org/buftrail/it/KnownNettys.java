package org.buftrail.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;

/**
 * Digests of the class files of Netty's buffer package, in the releases that the agent was tried
 * with; {@code known-nettys.txt} has a line for each class.
 */
final class KnownNettys {
  private static final Path FILE = Path.of("src/test/resources/known-nettys.txt");
  private static final String PACKAGE = "io/netty/buffer/";
  private static final String CLASS = ".class";
  private static final int DIGEST_BYTES = 6;

  private KnownNettys() {}

  /** By the name of the class, without its package. */
  static Map<String, String> digests(Path jar) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream()
          .filter(each -> each.getName().startsWith(PACKAGE) && each.getName().endsWith(CLASS))
          .forEach(
              each -> {
                try {
                  byte[] bytes = file.getInputStream(each).readAllBytes();
                  String name = each.getName();
                  digests.put(
                      name.substring(PACKAGE.length(), name.length() - CLASS.length()),
                      digest(bytes));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return digests;
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is known, by the line of releases, {@code 4.1}. */
  static Map<String, Map<String, String>> read() throws IOException {
    Map<String, Map<String, String>> known = new TreeMap<>();
    for (String line : Files.readAllLines(FILE)) {
      String[] parts = line.split(" ", -1);
      known.computeIfAbsent(parts[0], any -> new TreeMap<>()).put(parts[1], parts[2]);
    }
    return known;
  }

  static void write(Map<String, Map<String, String>> known) throws IOException {
    StringBuilder text = new StringBuilder();
    known.forEach(
        (line, digests) ->
            digests.forEach(
                (name, digest) ->
                    text.append(line)
                        .append(' ')
                        .append(name)
                        .append(' ')
                        .append(digest)
                        .append('\n')));
    Files.writeString(FILE, text);
  }

  /** In words, what is not as it is known; empty if nothing is. */
  static String difference(Map<String, String> known, Map<String, String> found) {
    TreeSet<String> changed = new TreeSet<>(known.keySet());
    changed.retainAll(found.keySet());
    changed.removeIf(name -> Objects.equals(known.get(name), found.get(name)));
    TreeSet<String> added = new TreeSet<>(found.keySet());
    added.removeAll(known.keySet());
    TreeSet<String> gone = new TreeSet<>(known.keySet());
    gone.removeAll(found.keySet());
    return words("changed", changed) + words("new", added) + words("gone", gone);
  }

  private static String words(String what, Set<String> names) {
    return names.isEmpty() ? "" : " " + what + ": " + String.join(", ", names) + ";";
  }
}
