package org.buftrail.agent.weave.classfile;

import static org.objectweb.asm.Opcodes.ACC_ENUM;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_MODULE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The only field of a class whose type passes a test, if constructors alone assign it: what an
 * object of the class wraps.
 */
public final class SoleField {
  private final String name;

  private SoleField(String name) {
    this.name = name;
  }

  /**
   * Returns the field, or null where there is none or more than one, where another method assigns
   * it, and for interfaces, enums and classes below one of the JDK's other than {@code Record}.
   *
   * @param head of the same class file
   * @param test of the internal name of a field's type
   */
  public static @Nullable SoleField of(ClassHead head, byte[] classFile, Predicate<String> test) {
    if (!mayWrap(head)) {
      return null;
    }
    ClassHead.Declared found = null;
    for (ClassHead.Declared field : head.fields()) {
      // Variables that an anonymous class captures, and transient fields, are not its subject.
      if (!field.isAny(ACC_STATIC | ACC_TRANSIENT | ACC_SYNTHETIC)
          && field.descriptor.startsWith("L")
          && test.test(Type.getType(field.descriptor).getInternalName())) {
        if (found != null) {
          return null;
        }
        found = field;
      }
    }
    return found == null || isAssignedLater(head, classFile, found)
        ? null
        : new SoleField(found.name);
  }

  private static boolean mayWrap(ClassHead head) {
    String above = head.superclass();
    return !head.isAny(ACC_INTERFACE | ACC_ENUM | ACC_MODULE)
        && above != null
        && (above.equals("java/lang/Object")
            || above.equals("java/lang/Record")
            || !Names.isOfJdk(above));
  }

  private static boolean isAssignedLater(
      ClassHead head, byte[] classFile, ClassHead.Declared field) {
    if (field.isAny(ACC_FINAL)) {
      return false;
    }
    Assignments assignments = new Assignments(head.name(), field.name);
    new ClassReader(classFile)
        .accept(assignments, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return assignments.found;
  }

  public String name() {
    return name;
  }

  /** Whether a method other than a constructor assigns a field. */
  private static final class Assignments extends ClassVisitor {
    private final String owner;
    private final String field;
    boolean found;

    Assignments(String owner, String field) {
      super(Opcodes.ASM9);
      this.owner = owner;
      this.field = field;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      if (method.equals("<init>")) {
        return null;
      }
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitFieldInsn(int opcode, String from, String assigned, String type) {
          found |= opcode == PUTFIELD && from.equals(owner) && assigned.equals(field);
        }
      };
    }
  }
}
