package org.buftrail.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SurroundingsTest {
  @TempDir private Path directory;

  private static Properties properties(String key, String value) {
    Properties properties = new Properties();
    properties.setProperty(key, value);
    return properties;
  }

  private static boolean isTool(String command) {
    return Surroundings.isTool(properties("sun.java.command", command), "buftrail.jar");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdk.jcmd/sun.tools.jcmd.JCmd 1 GC.run",
        "jdk.compiler/com.sun.tools.javac.Main A.java",
        "java.base/sun.security.tools.keytool.Main -list",
        "org.buftrail.cli.Main dump 1",
        "org.buftrail.boot.Main"
      })
  void knowsTools(String command) {
    assertThat(isTool(command)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "com.example.Main a/b",
        "jdk.tools.Mine",
        "com.example/com.example.Main",
        "jdk.compiler/com.sun.tools.javac.launcher.Main App.java",
        "/opt/java.service/app.jar",
        "service.jar"
      })
  void knowsApplications(String command) {
    assertThat(isTool(command)).isFalse();
  }

  @Test
  void knowsItsOwnJar() throws IOException {
    String jar = jar("own.jar", "x").toString();
    Properties properties = properties("sun.java.command", jar + " --help");
    properties.setProperty("java.class.path", jar);
    assertThat(Surroundings.isTool(properties, jar)).isTrue();
    assertThat(Surroundings.isTool(properties, jar("other.jar", "x").toString())).isFalse();
  }

  @Test
  void seesWhatIsFollowedBeside() {
    Properties none = new Properties();
    Map<String, String> empty = Map.of();
    assertThat(Surroundings.followsMore("report=a.json", none, empty)).isFalse();
    assertThat(Surroundings.followsMore("resource=A:open=b", none, empty)).isTrue();
    assertThat(Surroundings.followsMore("directBuffers=true", none, empty)).isTrue();
    assertThat(Surroundings.followsMore("", properties("buftrail.libraries", "arrow"), empty))
        .isTrue();
    assertThat(Surroundings.followsMore("", none, Map.of("BUFTRAIL_CONFIG", "a.conf"))).isTrue();
    assertThat(Surroundings.followsMore("", none, Map.of("BUFTRAIL_REPORT", "a.json"))).isFalse();
  }

  private static boolean showNetty(String key, Path... entries) {
    StringBuilder path = new StringBuilder();
    for (Path entry : entries) {
      path.append(path.length() == 0 ? "" : java.io.File.pathSeparator).append(entry);
    }
    return Surroundings.showNetty(properties(key, path.toString()));
  }

  @Test
  void seesNettyByTheNameOfAJarAndWithinJars() throws IOException {
    Path plain = jar("plain.jar", "com/example/A.class");
    assertThat(showNetty("java.class.path", plain)).isFalse();
    assertThat(showNetty("java.class.path", plain, Path.of("/x/netty-buffer-4.jar"))).isTrue();
    assertThat(showNetty("java.class.path", Path.of("/netty/app.jar"))).isFalse();
    Path nested = jar("boot.jar", "BOOT-INF/lib/netty-buffer-4.2.jar");
    assertThat(showNetty("java.class.path", nested)).isTrue();
    Path shaded = jar("shaded.jar", "com/example/deps/io/netty/buffer/ByteBuf.class");
    assertThat(showNetty("java.class.path", shaded)).isTrue();
    Path resource = jar("r.jar", "META-INF/services/org.buftrail.model.TrackedResource");
    assertThat(showNetty("java.class.path", resource)).isTrue();
  }

  @Test
  void seesNettyInDirectoriesAndOnTheModulePath() throws IOException {
    assertThat(showNetty("java.class.path", directory)).isFalse();
    assertThat(showNetty("jdk.module.path", directory)).isFalse();
    jar("netty-common.jar", "x");
    assertThat(showNetty("jdk.module.path", directory)).isTrue();
    assertThat(showNetty("java.class.path", directory)).isFalse();
    Files.createDirectories(directory.resolve("io/netty/buffer"));
    Files.createFile(directory.resolve("io/netty/buffer/ByteBuf.class"));
    assertThat(showNetty("java.class.path", directory)).isTrue();
  }

  private Path jar(String name, String entry) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new ZipEntry(entry));
    }
    return file;
  }

  @Test
  void aClassFileThatNamesAJdkBufferAloneNamesNoNetty() {
    assertThat(names("java/nio/ByteBuffer")).isFalse();
    assertThat(names("com/example/nettybuffer/A")).isFalse();
    assertThat(names("io/netty/channel/ChannelHandler")).isTrue();
    assertThat(names("Lcom/example/shaded/ByteBuf;")).isTrue();
    assertThat(names("com/example/ByteBuf")).isTrue();
    assertThat(names("org/buftrail/model/TrackedResource")).isTrue();
    assertThat(names("/")).isFalse();
    assertThat(names("/netty")).isFalse();
  }

  private static boolean names(String text) {
    return Dormant.namesNetty(text.getBytes(StandardCharsets.US_ASCII));
  }
}
