package org.buftrail.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class files behave as before, and leave nothing to the JVM to make. */
final class PlainLambdasTest {
  private static final String ROOM = "org/buftrail/build";

  @TempDir Path directory;

  @Test
  void lambdasDoTheSameInClassesOfTheirOwn() throws Exception {
    copy("Lambdas", "Lambdas$Sub", "Lambdas$Mixed", "Lambdas$Inner");
    PlainLambdas.main(new String[] {directory.toString(), ROOM, ".class"});
    assertThat(answer("Lambdas")).isEqualTo(new Lambdas().get()).hasSizeGreaterThan(40);
    assertThat(answer("Lambdas$Sub")).isEqualTo(new Lambdas.Sub().get());
    for (Path file : files()) {
      assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain("LambdaMetafactory");
    }
  }

  @Test
  void lambdasOfOneShapeShareAClass() throws Exception {
    copy("Lambdas", "Lambdas$Sub", "Lambdas$Mixed", "Lambdas$Inner");
    PlainLambdas.main(new String[] {directory.toString(), ROOM, ".class"});
    try (URLClassLoader loader = loader()) {
      long predicates = 0;
      for (Path file : files()) {
        String name = file.getFileName().toString().replace(".class", "");
        Class<?> type = loader.loadClass("org.buftrail.build." + name);
        predicates += List.of(type.getInterfaces()).toString().contains("Predicate") ? 1 : 0;
      }
      assertThat(predicates).as("with a captured value, and without").isEqualTo(2);
    }
  }

  @Test
  void filesWithoutLambdasStayAsTheyAre() throws Exception {
    copy("Lambdas$Mixed");
    Path file = directory.resolve(ROOM + "/Lambdas$Mixed.class");
    byte[] before = Files.readAllBytes(file);
    PlainLambdas.main(new String[] {directory.toString(), ROOM, ".class"});
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(files()).hasSize(1);
  }

  private List<?> answer(String name) throws Exception {
    try (URLClassLoader loader = loader()) {
      Class<?> type = loader.loadClass("org.buftrail.build." + name);
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return (List<?>) ((Supplier<?>) constructor.newInstance()).get();
    }
  }

  /** Finds nothing but what the JDK has and what was rewritten. */
  private URLClassLoader loader() throws IOException {
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, null);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private void copy(String... names) throws IOException {
    Path room = Files.createDirectories(directory.resolve(ROOM));
    for (String name : names) {
      try (InputStream in = PlainLambdasTest.class.getResourceAsStream(name + ".class")) {
        Files.write(room.resolve(name + ".class"), in.readAllBytes());
      }
    }
  }
}
