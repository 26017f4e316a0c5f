package org.buftrail.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
        "jdk.jshell/jdk.jshell.execution.RemoteExecutionControl 4711",
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

  private Path jar(String name, String entry) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new ZipEntry(entry));
    }
    return file;
  }
}
