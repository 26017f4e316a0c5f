package org.buftrail.jfr;

import java.util.Set;

/** The types of those events that tell of the process that made a recording. */
final class OriginTypes {
  static final String SETTING = "jdk.ActiveSetting";
  static final String JVM = "jdk.JVMInformation";
  static final String ENVIRONMENT = "jdk.InitialEnvironmentVariable";
  static final String PROPERTY = "jdk.InitialSystemProperty";
  static final String LIBRARY = "jdk.NativeLibrary";
  static final String BUILD_ID = "buildId";
  private static final String OS = "jdk.OSInformation";
  private static final Set<String> NAMES = Set.of(SETTING, JVM, OS, ENVIRONMENT, PROPERTY);

  private OriginTypes() {}

  /** Whether events of a type are such. */
  static boolean contain(TypeDescriptor event) {
    return NAMES.contains(event.name)
        || (event.name.equals(LIBRARY) && event.field(BUILD_ID) != null);
  }
}
