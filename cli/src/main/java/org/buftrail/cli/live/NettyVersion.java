package org.buftrail.cli.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Which Netty a process uses, by the jars that it has open: by their names, or what is in them. */
final class NettyVersion {
  private static final Pattern JAR =
      Pattern.compile("(?:.*/)?netty-(?:buffer|all)-(\\d[\\w.-]*)\\.jar");

  /** Netty's own, in each of its jars; in one that several were merged into, of the last. */
  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  private static final String BUFFER = "netty/buffer/ByteBuf.class";
  private static final String UNKNOWN = "?";

  private NettyVersion() {}

  /**
   * The version.
   *
   * @param open the directory of the process's open files
   * @return a question mark where Netty is there in an unknown version, null where none was found
   */
  static @Nullable String of(Path open) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(open)) {
      for (Path file : files) {
        String name = target(file);
        Matcher jar = JAR.matcher(name);
        if (jar.matches()) {
          return jar.group(1);
        }
        if (name.endsWith(".jar") || name.endsWith(".war")) {
          jars.add(file);
        }
      }
    } catch (IOException e) {
      // Another user's, ended, or this is no Linux.
    }
    return within(jars);
  }

  private static @Nullable String within(List<Path> jars) {
    for (Path jar : jars) {
      try {
        String version = in(jar);
        if (version != null) {
          return version;
        }
      } catch (IOException e) {
        // No jar after all, or closed meanwhile.
      }
    }
    return null;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /** The version of a Netty within a jar, in a nested one or among all classes. */
  static @Nullable String in(Path file) throws IOException {
    try (ZipFile jar = new ZipFile(file.toFile())) {
      boolean buffers = false;
      Enumeration<? extends ZipEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        String name = entries.nextElement().getName();
        Matcher nested = JAR.matcher(name);
        if (nested.matches()) {
          return nested.group(1);
        }
        buffers |= name.endsWith(BUFFER);
      }
      return buffers ? stated(jar) : null;
    }
  }

  private static String stated(ZipFile jar) throws IOException {
    ZipEntry entry = jar.getEntry(VERSIONS);
    if (entry == null) {
      return UNKNOWN;
    }
    Properties versions = new Properties();
    try (InputStream in = jar.getInputStream(entry)) {
      versions.load(in);
    } catch (IllegalArgumentException e) {
      return UNKNOWN;
    }
    return versions.stringPropertyNames().stream()
        .filter(name -> name.startsWith("netty-") && name.endsWith(".version"))
        .findFirst()
        .map(versions::getProperty)
        .orElse(UNKNOWN);
  }
}
