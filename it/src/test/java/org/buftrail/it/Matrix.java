package org.buftrail.it;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The settings of a parameterized test. Each test meets each JVM and each Netty once, in pairs that
 * its name chooses; all tests together meet each pair. Where there is the JVM of the tests alone,
 * each meets one Netty 4.1 and one 4.2. {@code -Dbuftrail.it.matrix=full} takes all pairs for each
 * test.
 */
final class Matrix implements ArgumentsProvider {
  @Override
  public Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    Method test = context.getRequiredTestMethod();
    EachSetting wanted = AnnotationSupport.findAnnotation(test, EachSetting.class).orElseThrow();
    boolean isFull = Setting.property("buftrail.it.matrix").equals("full");
    List<Path> homes = homes(wanted, wanted.outerJvms() && !isFull);
    List<String> nettys = nettys(wanted);
    boolean alone = Setting.homes().size() == 1;
    return (isFull
            ? all(homes, nettys)
            : alone ? outside(homes, nettys, turn(test)) : covering(homes, nettys, turn(test)))
        .stream().map(Arguments::of);
  }

  /** A number from 0 that is the same in each run. */
  static int turn(Method test) {
    return Math.floorMod(test.getName().hashCode(), 1 << 16);
  }

  /** The first home of each Java version. */
  private static List<Path> homes(EachSetting wanted, boolean outer) {
    Map<Integer, Path> homes = new LinkedHashMap<>();
    for (Path home : wanted.ownJvm() ? List.of(Setting.OWN_JAVA) : Setting.homes()) {
      int version = new Setting(home, "").javaVersion();
      if (version >= wanted.java()) {
        homes.putIfAbsent(version, home);
      }
    }
    if (outer) {
      Set<Integer> versions = homes.keySet();
      versions.retainAll(List.of(Collections.min(versions), Collections.max(versions)));
    }
    return List.copyOf(homes.values());
  }

  private static List<String> nettys(EachSetting wanted) {
    Setting newest = Setting.newest();
    return Setting.nettys().stream()
        .map(netty -> new Setting(newest.javaHome(), netty))
        .filter(setting -> !wanted.adaptive() || setting.hasAdaptiveAllocator())
        .filter(setting -> !wanted.netty42() || setting.netty().startsWith("4.2."))
        .filter(setting -> !wanted.newestNetty() || setting.equals(newest))
        .filter(setting -> !wanted.natives() || Files.exists(setting.natives()))
        .map(Setting::netty)
        .toList();
  }

  private static List<Setting> all(List<Path> homes, List<String> nettys) {
    return homes.stream()
        .flatMap(home -> nettys.stream().map(netty -> new Setting(home, netty)))
        .toList();
  }

  /** As many pairs as the longer side has, each home and each Netty among them. */
  static List<Setting> covering(List<Path> homes, List<String> nettys, int turn) {
    List<Setting> chosen = new ArrayList<>();
    for (int i = 0; i < Math.max(homes.size(), nettys.size()); i++) {
      chosen.add(new Setting(homes.get(i % homes.size()), nettys.get((i + turn) % nettys.size())));
    }
    return chosen;
  }

  /** Each home with two Nettys that are as far from one end of the list as from the other. */
  static List<Setting> outside(List<Path> homes, List<String> nettys, int turn) {
    int first = turn % ((nettys.size() + 1) / 2);
    int last = nettys.size() - 1 - first;
    return all(homes, Stream.of(first, last).distinct().map(nettys::get).toList());
  }
}
