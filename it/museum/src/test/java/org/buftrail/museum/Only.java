package org.buftrail.museum;

import java.util.Set;
import org.buftrail.it.Setting;

/** What {@code -Dmuseum.only} asks for; everything without it. */
final class Only {
  private static final Set<String> NAMES = Set.of(Setting.property("museum.only").split(",", -1));

  private Only() {}

  static boolean isShown(String name) {
    return isEverything() || NAMES.contains(name);
  }

  /** Whether a page can be compared with what was shown. */
  static boolean isEverything() {
    return NAMES.contains("");
  }
}
