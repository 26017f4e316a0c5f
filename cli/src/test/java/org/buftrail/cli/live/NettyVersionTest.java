package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars are open as links in a directory, as Linux shows them. */
final class NettyVersionTest {
  private static final String VERSIONS = "META-INF/io.netty.versions.properties";
  private static final String BUFFER = "io/netty/buffer/ByteBuf.class";

  @TempDir private Path directory;

  private Path open;

  @BeforeEach
  void openNone() throws IOException {
    open = Files.createDirectory(directory.resolve("fd"));
    Files.createSymbolicLink(open.resolve("0"), Path.of("/dev/null"));
    Files.createSymbolicLink(open.resolve("1"), Path.of("socket:[17]"));
  }

  private void open(String name, Map<String, String> entries) throws IOException {
    Path file = directory.resolve(name);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    Files.createSymbolicLink(open.resolve(name), file);
  }

  @Test
  void aJarsNameSaysIt() throws IOException {
    open("netty-buffer-4.1.100.Final.jar", Map.of("a", ""));
    open("app.jar", Map.of("a", ""));
    assertThat(NettyVersion.of(open)).isEqualTo("4.1.100.Final");
  }

  @Test
  void aNestedJarsNameSaysIt() throws IOException {
    open("app.jar", Map.of("BOOT-INF/lib/netty-buffer-4.2.20.Final.jar", ""));
    assertThat(NettyVersion.of(open)).isEqualTo("4.2.20.Final");
  }

  @Test
  void amongAllClassesNettysOwnFileSaysIt() throws IOException {
    open("fat.jar", Map.of(BUFFER, "", VERSIONS, "netty-common.version=4.1.140.Final\n"));
    assertThat(NettyVersion.of(open)).isEqualTo("4.1.140.Final");
  }

  @Test
  void aRelocatedNettyMayHaveNoVersion() throws IOException {
    open("shaded.jar", Map.of("org/shaded/netty/buffer/ByteBuf.class", ""));
    assertThat(NettyVersion.of(open)).isEqualTo("?");
  }

  @Test
  void whatHasNoNettyHasNoVersion() throws IOException {
    open("app.jar", Map.of("a", "", VERSIONS, "netty-common.version=4.1.140.Final\n"));
    Files.createSymbolicLink(open.resolve("broken.jar"), directory.resolve("none.jar"));
    Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
    Files.createSymbolicLink(open.resolve("text.jar"), text);
    assertThat(NettyVersion.of(open)).isNull();
    assertThat(NettyVersion.of(directory.resolve("gone"))).isNull();
  }

  @Test
  void aCommandIsNamedByItsClassOrJar() {
    assertThat(Jvm.shorten("/opt/app/service.jar --port 80")).isEqualTo("service.jar");
    assertThat(Jvm.shorten("com.example.Main a/b")).isEqualTo("com.example.Main");
    assertThat(Jvm.shorten("")).isEmpty();
  }
}
