package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MatrixIT {
  private static final List<Path> HOMES = Stream.of("17", "11", "21", "25").map(Path::of).toList();
  private static final List<String> NETTYS = List.of("4.1.0", "4.1.9", "4.2.0", "4.2.9");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 65_535})
  void eachTestMeetsEachJvmAndEachNettyOnce(int turn) {
    List<Setting> chosen = Matrix.covering(HOMES, NETTYS, turn);
    assertThat(chosen).extracting(Setting::javaHome).containsExactlyInAnyOrderElementsOf(HOMES);
    assertThat(chosen).extracting(Setting::netty).containsExactlyInAnyOrderElementsOf(NETTYS);
  }

  @Test
  void theShorterSideIsRepeated() {
    assertThat(Matrix.covering(HOMES.subList(0, 3), NETTYS, 1))
        .extracting(setting -> setting.javaHome() + " " + setting.netty())
        .containsExactly("17 4.1.9", "11 4.2.0", "21 4.2.9", "17 4.1.0");
    assertThat(Matrix.covering(HOMES, NETTYS.subList(3, 4), 7))
        .extracting(setting -> setting.javaHome() + " " + setting.netty())
        .containsExactly("17 4.2.9", "11 4.2.9", "21 4.2.9", "25 4.2.9");
  }

  @Test
  void oneJvmMeetsBothLinesOfNetty() {
    assertThat(
            IntStream.range(0, 3)
                .mapToObj(turn -> Matrix.outside(HOMES.subList(0, 1), NETTYS, turn)))
        .extracting(chosen -> chosen.stream().map(Setting::netty).toList())
        .containsExactly(
            List.of("4.1.0", "4.2.9"), List.of("4.1.9", "4.2.0"), List.of("4.1.0", "4.2.9"));
    assertThat(Matrix.outside(HOMES.subList(0, 1), NETTYS.subList(1, 4), 1))
        .extracting(Setting::netty)
        .containsExactly("4.2.0");
  }

  /** What the names of the tests choose. */
  @Test
  void theTestsTogetherMeetEachPair() throws Exception {
    Set<Setting> met = new HashSet<>();
    List<Method> tests = tests();
    tests.forEach(test -> met.addAll(Matrix.covering(HOMES, NETTYS, Matrix.turn(test))));
    assertThat(tests).hasSizeGreaterThan(40);
    assertThat(met).hasSize(HOMES.size() * NETTYS.size());
  }

  /** Those that name no JVM and no Netty. */
  private static List<Method> tests() throws IOException, ReflectiveOperationException {
    Path classes = Path.of("target", "test-classes");
    List<Method> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(path -> path.toString().endsWith("IT.class")).toList()) {
        String name = classes.relativize(file).toString().replace('/', '.');
        Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
        for (Method method : type.getDeclaredMethods()) {
          EachSetting wanted = method.getAnnotation(EachSetting.class);
          if (wanted != null
              && !wanted.newestNetty()
              && !wanted.ownJvm()
              && !wanted.outerJvms()
              && wanted.java() == 11) {
            tests.add(method);
          }
        }
      }
    }
    return tests;
  }
}
