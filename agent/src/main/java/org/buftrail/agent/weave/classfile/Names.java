package org.buftrail.agent.weave.classfile;

import org.buftrail.flow.state.BufferHolder;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.HolderRoot;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.MemoryAlarm;
import org.buftrail.flow.woven.Resources;
import org.buftrail.flow.woven.TestCode;

/** Names in class files: the runtime's, and what a name says by itself. */
public final class Names {
  /** The prefix of the names of all classes of the runtime. */
  static final String RUNTIME = "org/buftrail/flow/";

  /** Classes of the runtime that woven code names. */
  public static final String BUFFERS = internal(Buffers.class);

  public static final String RESOURCES = internal(Resources.class);
  public static final String EXECUTOR_SCOPES = internal(ExecutorScopes.class);
  public static final String TEST_CODE = internal(TestCode.class);
  public static final String MEMORY_ALARM = internal(MemoryAlarm.class);
  public static final String TRACKED_BUFFER = internal(TrackedBuffer.class);
  public static final String HOLDER = internal(BufferHolder.class);
  public static final String HOLDER_ROOT = internal(HolderRoot.class);
  public static final String JOINED = internal(ComponentBase.class);

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

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
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
