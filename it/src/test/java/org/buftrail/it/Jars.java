package org.buftrail.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** Writes jars for the tests of class loading. */
public final class Jars implements AutoCloseable {
  private final JarOutputStream out;

  /**
   * @param attributes of the manifest: names and values in turn
   */
  Jars(Path file, String... attributes) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    for (int i = 0; i < attributes.length; i += 2) {
      manifest.getMainAttributes().putValue(attributes[i], attributes[i + 1]);
    }
    OutputStream stream = Files.newOutputStream(file);
    out = new JarOutputStream(stream, manifest);
  }

  /** Adds all classes below a directory, those of packages that start so. */
  Jars classes(Path directory, String prefix, String packages) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = directory.relativize(file).toString().replace('\\', '/');
        if (name.startsWith(packages)) {
          stored(prefix + name, Files.readAllBytes(file));
        }
      }
    }
    return this;
  }

  /** Adds jars as they are, not compressed, as nested-jar launchers want them. */
  Jars nested(List<Path> jars, String prefix) throws IOException {
    for (Path jar : jars) {
      stored(prefix + jar.getFileName(), Files.readAllBytes(jar));
    }
    return this;
  }

  /** Adds entries for directories, which some launchers look for. */
  Jars directories(String... names) throws IOException {
    for (String name : names) {
      stored(name, new byte[0]);
    }
    return this;
  }

  /** Adds what is in another jar. */
  Jars unpacked(Path jar) throws IOException {
    try (InputStream file = Files.newInputStream(jar);
        JarInputStream in = new JarInputStream(file)) {
      for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
        if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/")) {
          stored(entry.getName(), in.readAllBytes());
        }
      }
    }
    return this;
  }

  /** The jars in a directory. */
  public static List<Path> in(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void stored(String name, byte[] bytes) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    JarEntry entry = new JarEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
