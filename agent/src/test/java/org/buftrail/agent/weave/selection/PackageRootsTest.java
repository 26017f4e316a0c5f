package org.buftrail.agent.weave.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A few names for many packages, and the packages that a short look finds. */
final class PackageRootsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "com.a.b.c com.a.b.d, com.a.b",
    "com.a com.a.b.d, com.a",
    "com.a.b.d com.a, com.a",
    "com/a/b com.a.b, com.a.b",
    "org.b com.a, com.a org.b",
    "com.a.x com.b.x, com.a.x com.b.x",
    "shop shop.a shop.b, shop shop.a shop.b",
    "'', ''",
  })
  void whatAgreesInTwoPartsIsOne(String packages, String roots) {
    assertThat(String.join(" ", PackageRoots.of(List.of(packages.split(" ", -1)))))
        .isEqualTo(roots);
  }

  private void file(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  private String classPath(String... entries) {
    StringBuilder path = new StringBuilder();
    for (String entry : entries) {
      path.append(entry.isEmpty() ? "" : directory.resolve(entry)).append(File.pathSeparatorChar);
    }
    return path.toString();
  }

  @Test
  void directoriesThatMayBePackagesAreLookedInto() throws IOException {
    for (String name :
        List.of(
            "a/Top.class",
            "a/com/shop/Order.class",
            "a/META-INF/versions/Hidden.class",
            "a/v1.2/Hidden.class",
            "a/empty/readme.txt",
            "b/org/other/Other.class",
            "c.jar/Hidden.class")) {
      file(name);
    }
    assertThat(PackageRoots.inDirectories(classPath("a", "", "missing", "b", "c.jar", "b*")))
        .containsExactly("", "com/shop", "org/other");
  }

  /** The first 200 directories, that of the class path among them. */
  @Test
  void manyDirectoriesAreSeenInPart() throws IOException {
    for (int i = 0; i < 230; i++) {
      file("many/p" + i + "/A.class");
    }
    assertThat(PackageRoots.inDirectories(classPath("many"))).hasSize(199);
  }
}
