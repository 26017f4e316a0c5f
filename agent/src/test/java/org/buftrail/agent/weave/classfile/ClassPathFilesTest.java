package org.buftrail.agent.weave.classfile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class paths as the JVM's own loader searches them. */
final class ClassPathFilesTest {
  private static final String FILE = "a/B.class";

  @TempDir private Path directory;

  private static @Nullable String read(Object... elements) {
    byte[] found = files(elements).read(FILE);
    return found == null ? null : new String(found, UTF_8);
  }

  private static ClassPathFiles files(Object... elements) {
    return new ClassPathFiles(
        Arrays.stream(elements)
            .map(Object::toString)
            .collect(Collectors.joining(File.pathSeparator)));
  }

  private Path directoryWith(String text) throws IOException {
    Path classes = directory.resolve(text);
    Files.createDirectories(classes.resolve("a"));
    Files.writeString(classes.resolve(FILE), text);
    return classes;
  }

  /**
   * A jar.
   *
   * @param attributes of its manifest, name and value
   */
  private Path jar(String name, String entry, String text, String... attributes)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    for (int i = 0; i < attributes.length; i += 2) {
      manifest.getMainAttributes().putValue(attributes[i], attributes[i + 1]);
    }
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.putNextEntry(new ZipEntry("other"));
      jar.putNextEntry(new ZipEntry(entry));
      jar.write(text.getBytes(UTF_8));
    }
    return file;
  }

  @Test
  void theFirstThatHasItWins() throws IOException {
    Path classes = directoryWith("classes");
    Path jar = jar("a.jar", FILE, "jar");
    assertThat(read(directory.resolve("missing"), classes, jar)).isEqualTo("classes");
    assertThat(read(directory, jar, classes, jar)).isEqualTo("jar");
    assertThat(read(directory.resolve("missing.jar"), directory)).isNull();
  }

  @Test
  void whatAManifestNamesComesDirectlyBehindItsJar() throws IOException {
    Path last = directoryWith("last");
    jar("second.jar", FILE, "second");
    jar("first.jar", "nothing", "", "Class-Path", "second.jar");
    Path naming = jar("naming.jar", "nothing", "", "Class-Path", "missing.jar first.jar last/");
    assertThat(read(naming, last)).isEqualTo("second");
    Path naming2 = jar("naming2.jar", "nothing", "", "Class-Path", "last/ first.jar");
    assertThat(read(naming2)).isEqualTo("last");
  }

  @Test
  void jarsThatNameEachOtherAreSearchedOnce() throws IOException {
    jar("one.jar", "nothing", "", "Class-Path", "two.jar");
    Path two = jar("two.jar", "nothing", "", "Class-Path", "one.jar two.jar");
    assertThat(read(two, directoryWith("last"))).isEqualTo("last");
  }

  @Test
  void aVersionOfAJarForSeveralIsThatOfThisJvm() throws IOException {
    Path jar = jar("multi.jar", "META-INF/versions/9/" + FILE, "nine", "Multi-Release", "true");
    assertThat(read(jar)).isEqualTo("nine");
    Path plain = jar("plain.jar", "META-INF/versions/9/" + FILE, "nine");
    assertThat(read(plain, directory)).isNull();
  }

  /** Where the JVM does find something there, another way to ask tells. */
  @Test
  void behindWhatCannotBeReadNothingIsKnown() throws IOException {
    Path broken = Files.writeString(directory.resolve("broken.jar"), "no jar");
    Path naming = jar("naming.jar", "nothing", "", "Class-Path", "http://example.com/a.jar");
    Path classes = directoryWith("classes");
    for (Path end : new Path[] {broken, naming}) {
      assertThat(read(end, classes)).isNull();
      ClassPathFiles files = files(classes, end, jar("behind.jar", "behind", "text"));
      assertThat(files.read("behind")).isNull();
      assertThat(files.read("behind")).as("and no later either").isNull();
      assertThat(files.read(FILE)).isEqualTo("classes".getBytes(UTF_8));
    }
  }

  @Test
  void aJarThatIsOverwrittenIsNoError() throws IOException {
    Path jar = jar("a.jar", FILE, "jar");
    ClassPathFiles files = files(jar);
    assertThat(files.read("other")).isEmpty();
    Files.write(jar, new byte[(int) Files.size(jar)]);
    assertThat(files.read(FILE)).isNull();
  }
}
