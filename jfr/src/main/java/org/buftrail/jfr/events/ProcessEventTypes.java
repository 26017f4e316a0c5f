package org.buftrail.jfr.events;

import java.util.Set;
import org.buftrail.jfr.schema.TypeDescriptor;

/** The types of the events that describe the process behind a recording. */
public final class ProcessEventTypes {
  public static final String SETTING = "jdk.ActiveSetting";
  public static final String JVM = "jdk.JVMInformation";
  public static final String ENVIRONMENT = "jdk.InitialEnvironmentVariable";
  public static final String PROPERTY = "jdk.InitialSystemProperty";
  public static final String LIBRARY = "jdk.NativeLibrary";
  public static final String BUILD_ID = "buildId";
  private static final String OS = "jdk.OSInformation";
  private static final Set<String> NAMES = Set.of(SETTING, JVM, OS, ENVIRONMENT, PROPERTY);

  private ProcessEventTypes() {}

  /** Whether events of a type are such. */
  public static boolean contain(TypeDescriptor event) {
    return NAMES.contains(event.name)
        || (event.name.equals(LIBRARY) && event.field(BUILD_ID) != null);
  }
}
