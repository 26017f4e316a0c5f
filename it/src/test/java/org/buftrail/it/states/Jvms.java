package org.buftrail.it.states;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.it.Setting;

/** On which JVMs states are looked at. */
final class Jvms {
  /** The name of {@link #settings}, for tests with a parameter. */
  static final String SETTINGS = "org.buftrail.it.states.Jvms#settings";

  private Jvms() {}

  /** The JVM of the tests, and Java 17 and 25 where they are at hand, with the newest Netty. */
  static Stream<Setting> settings() {
    Map<Integer, Setting> settings = new TreeMap<>();
    for (Path home : Setting.homes()) {
      Setting setting = new Setting(home, Setting.newest().netty());
      int version = setting.javaVersion();
      if (home.equals(Setting.OWN_JAVA) || version == 17 || version == 25) {
        settings.putIfAbsent(version, setting);
      }
    }
    return settings.values().stream();
  }
}
