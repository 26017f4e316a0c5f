package org.buftrail.boot;

/**
 * The feature number of the running Java, on Java versions that cannot be asked for it directly.
 */
final class JavaVersion {
  private JavaVersion() {}

  /** For example 8, 11 or 25. */
  static int current() {
    return parse(System.getProperty("java.specification.version", "1.8"));
  }

  /** Reads {@code 1.8}, {@code 17}. */
  static int parse(String specification) {
    String feature = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(feature);
  }
}
