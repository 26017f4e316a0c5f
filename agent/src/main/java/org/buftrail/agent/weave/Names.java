package org.buftrail.agent.weave;

/** Names in class files: the runtime's, and what a name says by itself. */
public final class Names {
  /** How the names of all classes of the runtime begin. */
  static final String RUNTIME = "org/buftrail/flow/";

  /** Classes of the runtime. */
  public static final String FLOWS = "org/buftrail/flow/woven/Flows";

  public static final String RESOURCES = "org/buftrail/flow/woven/Resources";
  public static final String TRACKED_BUFFER = "org/buftrail/flow/state/TrackedBuffer";
  public static final String HOLDER = "org/buftrail/flow/state/BufferHolder";
  public static final String HOLDER_ROOT = "org/buftrail/flow/state/HolderRoot";
  public static final String JOINED = "org/buftrail/flow/state/Joined";

  private static final String[] JDK = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};

  private Names() {}

  /** Whether a class is the JDK's. */
  public static boolean isOfJdk(String internalName) {
    for (String prefix : JDK) {
      if (internalName.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** The name without its package. */
  public static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }

  /** The name with dots. */
  public static String binary(String internalName) {
    return internalName.replace('/', '.');
  }
}
