package org.buftrail.agent.weave.classfile;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A call that changes a reference count: a method of the buffer or message itself, or a static one
 * that gets it first. An {@code int} may follow, which says by how much, or a part is named.
 */
public final class CountCall {
  private static final Set<String> RELEASES = Set.of("release", "safeRelease");
  private static final Set<String> RETAINS =
      Set.of("retain", "retainedSlice", "retainedDuplicate", "readRetainedSlice");

  /** Internal name of the type that is counted, as the call declares it. */
  public final String subject;

  public final boolean releases;

  /** Whether a number lies above the subject on the stack. */
  public final boolean byNumber;

  private CountCall(String subject, boolean releases, boolean byNumber) {
    this.subject = subject;
    this.releases = releases;
    this.byNumber = byNumber;
  }

  /** Whether a method is called as one of these is. */
  public static boolean isName(String method) {
    return RELEASES.contains(method) || RETAINS.contains(method);
  }

  /** Returns the call if its name and parameters are those of one that counts; else null. */
  public static @Nullable CountCall of(int opcode, String owner, String method, String descriptor) {
    if (!isName(method)) {
      return null;
    }
    Type[] parameters = Type.getArgumentTypes(descriptor);
    boolean isStatic = opcode == Opcodes.INVOKESTATIC;
    int numbers = parameters.length - (isStatic ? 1 : 0);
    if (numbers < 0 || (isStatic && parameters[0].getSort() != Type.OBJECT)) {
      return null;
    }
    for (int i = parameters.length - numbers; i < parameters.length; i++) {
      if (parameters[i].getSort() != Type.INT) {
        return null;
      }
    }
    boolean releases = RELEASES.contains(method);
    boolean gives = Type.getReturnType(descriptor).getSort() == Type.OBJECT;
    if (releases ? numbers > 1 : !gives) {
      return null;
    }
    String subject = isStatic ? parameters[0].getInternalName() : owner;
    return new CountCall(subject, releases, numbers == 1);
  }
}
