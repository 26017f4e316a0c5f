package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which classes are of a kind: loaded ones, one that is about to load, and one known by its name.
 */
final class AncestryTest {
  private static final ClassLoader LOADER = AncestryTest.class.getClassLoader();

  private interface Marked {}

  private static class Above implements Marked {}

  private static final class Below extends Above {}

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  @Test
  void aLoadedClassIsOfTheKindOfWhateverStandsAboveIt() {
    Ancestry marked = Ancestry.of(name(Marked.class));
    assertThat(marked.includes(Marked.class)).isTrue();
    assertThat(marked.includes(Above.class)).isTrue();
    assertThat(marked.includes(Below.class)).isTrue();
    assertThat(marked.includes(AncestryTest.class)).isFalse();
    assertThat(Ancestry.of("java/io/Closeable").includes(FileInputStream.class)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "java/io/StringReader, true",
    "java/io/Reader, true",
    "java/io/Closeable, false",
    "java/lang/Object, false",
  })
  void ofAJdkClassThatIsAboutToLoadOnlyTheDirectParentsCount(String kind, boolean included)
      throws IOException {
    assertThat(Ancestry.of(kind).includes(LOADER, head("java/io/StringReader")))
        .isEqualTo(included);
  }

  @ParameterizedTest
  @CsvSource({
    "java/util/concurrent/RunnableFuture, true",
    "java/lang/Runnable, false",
  })
  void anInterfaceIsADirectParentToo(String kind, boolean included) throws IOException {
    assertThat(Ancestry.of(kind).includes(LOADER, head("java/util/concurrent/FutureTask")))
        .isEqualTo(included);
  }

  private static ClassHead head(String name) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return new ClassHead(Objects.requireNonNull(in, name).readAllBytes());
    }
  }

  @Test
  void ofTheJdkAllParentsCountOnceItIsKnownByName() {
    Ancestry closeable = Ancestry.of("java/io/Closeable");
    assertThat(closeable.includes(LOADER, "java/io/StringReader")).isTrue();
    assertThat(closeable.includes(LOADER, "java/lang/String")).isFalse();
    assertThat(closeable.includes(LOADER, "java/no/Such")).isFalse();
    assertThat(Ancestry.ofNamed(name -> name.endsWith("Reader")).includes(LOADER, "java/io/Reader"))
        .as("where no type of the JDK may be of the kind")
        .isFalse();
  }

  /** A class that is not found yet may turn out to be of the kind. */
  @Test
  void whatIsNotOfTheKindIsKnownOnceItWasLookedFor() {
    Ancestry marked = Ancestry.of(name(Marked.class));
    assertThat(marked.excludes(LOADER, "java/lang/String")).isTrue();
    assertThat(Ancestry.of("java/io/Closeable").excludes(LOADER, "java/lang/String")).isFalse();
    assertThat(marked.excludes(LOADER, name(AncestryTest.class))).isFalse();
    assertThat(marked.includes(LOADER, name(AncestryTest.class))).isFalse();
    assertThat(marked.excludes(LOADER, name(AncestryTest.class))).isTrue();
    assertThat(marked.includes(LOADER, name(Below.class))).isTrue();
    assertThat(marked.excludes(LOADER, name(Below.class))).isFalse();
    assertThat(marked.includes(LOADER, "com/example/Absent")).isFalse();
    assertThat(marked.excludes(LOADER, "com/example/Absent")).isFalse();
  }
}
