package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What is in the jar, and under which names. */
final class JarEntriesIT {
  private static final String ENTRY =
      "META-INF/(MANIFEST\\.MF|LICENSE|NOTICE|LICENSE-[a-z]+\\.txt)"
          + "|org/buftrail/(boot|model|flow(/[a-z]+)?)/[A-Za-z$0-9]+\\.class"
          + "|org/buftrail/(profile|report|options|jfr|cli|console)/[A-Za-z$0-9/_.-]+"
          + "|org/buftrail/shaded/[A-Za-z$0-9/_.-]+"
          + "|agent/org/buftrail/(agent|metrics)/[A-Za-z$0-9/_.-]+"
          + "|demo/(buftrail-examples|netty-[a-z-]+)-[0-9A-Za-z.]+\\.jar";

  @Test
  void everyEntryHasItsPlace() throws IOException {
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName)).allMatch(name -> name.matches(ENTRY));
    }
  }

  @Test
  void agentClassesAreHiddenAndNothingElseIs() throws IOException {
    List<String> names = names();
    assertThat(names)
        .contains(
            "agent/org/buftrail/agent/boot/FlowRuntime.classdata",
            "agent/org/buftrail/agent/shaded/asm/ClassReader.classdata",
            "agent/org/buftrail/metrics/FlowMeters.classdata",
            "org/buftrail/boot/AgentBoot.class",
            "org/buftrail/boot/Main.class",
            "org/buftrail/cli/Main.class",
            "org/buftrail/cli/shaded/picocli/CommandLine.class",
            "org/buftrail/flow/woven/Buffers.class",
            "org/buftrail/model/Snapshot.class",
            "org/buftrail/options/Option.class",
            "org/buftrail/report/SnapshotJson.class");
    assertThat(names)
        .noneMatch(name -> name.startsWith("agent/") && name.endsWith(".class"))
        .noneMatch(name -> !name.startsWith("agent/") && name.endsWith(".classdata"))
        .noneMatch(name -> name.contains("package-info") || name.contains("module-info"));
  }

  /** The agent defines them in the application one by one, by name. */
  @Test
  void theMetersAreNoMoreClassesThanTheAgentDefines() throws IOException {
    assertThat(names())
        .filteredOn(name -> name.startsWith("agent/org/buftrail/metrics/"))
        .filteredOn(name -> name.endsWith(".classdata"))
        .containsExactlyInAnyOrder(
            "agent/org/buftrail/metrics/FlowInstruments.classdata",
            "agent/org/buftrail/metrics/FlowMeters.classdata",
            "agent/org/buftrail/metrics/LastRound.classdata");
  }

  /** Each costs the JVM half a millisecond, while the application waits for the agent. */
  @Test
  void noLambdaOfTheAgentIsLeftToTheJvm() throws IOException {
    List<String> left = new ArrayList<>();
    int seen = 0;
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      for (JarEntry entry : jar.stream().filter(JarEntriesIT::startsWithTheAgent).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          seen++;
          String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          if (text.contains("java/lang/invoke/LambdaMetafactory")) {
            left.add(entry.getName());
          }
        }
      }
    }
    assertThat(seen).isGreaterThan(300);
    assertThat(left).isEmpty();
  }

  private static boolean startsWithTheAgent(JarEntry entry) {
    return entry
        .getName()
        .matches("(agent/org/buftrail/agent|org/buftrail/(boot|flow|options|profile|report))/.+");
  }

  @Test
  void theRuntimeHasTheAnnotationsThatHotspotKnows() throws IOException {
    assertThat(constants("woven/Moves"))
        .contains("Ljdk/internal/vm/annotation/ForceInline;")
        .contains("Ljdk/internal/vm/annotation/Stable;");
    for (String name : List.of("woven/Moves", "woven/Births", "woven/Releases", "tree/Roots")) {
      assertThat(constants(name)).as(name).doesNotContain("flow/base/ForceInline");
      assertThat(constants(name)).as(name).doesNotContain("flow/base/Stable");
    }
  }

  private static String constants(String name) throws IOException {
    try (JarFile jar = new JarFile(Setting.JAR.toFile());
        InputStream in =
            jar.getInputStream(jar.getJarEntry("org/buftrail/flow/" + name + ".class"))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void theManifestNamesTheEntryClasses() throws IOException {
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertThat(manifest.getValue("Main-Class")).isEqualTo("org.buftrail.boot.Main");
      assertThat(manifest.getValue("Premain-Class")).isEqualTo("org.buftrail.boot.AgentBoot");
      assertThat(manifest.getValue("Agent-Class")).isEqualTo("org.buftrail.boot.AgentBoot");
      assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
      assertThat(manifest.getValue("Can-Redefine-Classes")).isEqualTo("true");
      assertThat(manifest.getValue("Implementation-Version"))
          .isEqualTo(Setting.property("buftrail.version"));
      assertThat(manifest.getValue("Add-Opens"))
          .isEqualTo("java.management/sun.management jdk.management/com.sun.management.internal");
      assertThat(manifest.getValue("Launcher-Agent-Class")).isNull();
      assertThat(manifest.getValue("Class-Path")).isNull();
    }
  }

  @Test
  void classFilesAreOldEnoughForTheJvmsThatLoadThem() throws IOException {
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (name.endsWith(".class") || name.endsWith(".classdata")) {
          assertThat(majorVersion(jar, entry)).as(name).isLessThanOrEqualTo(newest(name));
        }
      }
    }
  }

  private static int newest(String name) {
    if (name.startsWith("org/buftrail/boot/")) {
      return 52;
    }
    boolean tool =
        name.startsWith("org/buftrail/cli/")
            || name.startsWith("org/buftrail/console/")
            || name.startsWith("org/buftrail/jfr/")
            || name.startsWith("org/buftrail/shaded/");
    return tool ? 61 : 55;
  }

  private static int majorVersion(JarFile jar, JarEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      DataInputStream bytes = new DataInputStream(in);
      assertThat(bytes.readInt()).isEqualTo(0xCAFEBABE);
      bytes.readUnsignedShort();
      return bytes.readUnsignedShort();
    }
  }

  private static List<String> names() throws IOException {
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      return jar.stream().map(JarEntry::getName).toList();
    }
  }
}
