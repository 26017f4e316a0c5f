package org.buftrail.agent.weave.classfile;

import static org.objectweb.asm.Opcodes.ACC_ENUM;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_MODULE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The only field of a class whose type passes a test, if constructors alone assign it: what an
 * object of the class wraps. Or the fields of a class that keeps such values otherwise, and why it
 * wraps none.
 */
public final class SoleField {
  /** Fields that are named of a class with many. */
  private static final int MAX_NAMED = 4;

  private final List<String> names;
  private final @Nullable String fault;

  private SoleField(List<String> names, @Nullable String fault) {
    this.names = names;
    this.fault = fault;
  }

  /**
   * Returns the field, or null where there is none, and for interfaces and enums.
   *
   * @param head of the same class file
   * @param test of the internal name of a field's type
   */
  public static @Nullable SoleField of(ClassHead head, byte[] classFile, Predicate<String> test) {
    if (head.isAny(ACC_INTERFACE | ACC_ENUM | ACC_MODULE)) {
      return null;
    }
    ClassHead.@Nullable Declared first = null;
    List<String> names = new ArrayList<>();
    for (ClassHead.Declared field : head.fields()) {
      // Variables that an anonymous class captures, and transient fields, are not its subject.
      if (!field.isAny(ACC_STATIC | ACC_TRANSIENT | ACC_SYNTHETIC)
          && field.descriptor.startsWith("L")
          && test.test(Type.getType(field.descriptor).getInternalName())) {
        first = first == null ? field : first;
        if (names.size() < MAX_NAMED) {
          names.add(field.name);
        }
      }
    }
    return first == null ? null : new SoleField(names, fault(head, classFile, first, names.size()));
  }

  private static @Nullable String fault(
      ClassHead head, byte[] classFile, ClassHead.Declared first, int fields) {
    if (fields > 1) {
      return "has several fields that hold buffers";
    }
    if (isBelowJdks(head)) {
      return "extends a class of the JDK";
    }
    return isAssignedLater(head, classFile, first) ? "assigns its field again" : null;
  }

  private static boolean isBelowJdks(ClassHead head) {
    String above = head.superclass();
    return above == null
        || (!above.equals("java/lang/Object")
            && !above.equals("java/lang/Record")
            && Names.isOfJdk(above));
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

  /** The only one, or the first. */
  public String name() {
    return names.get(0);
  }

  /** All of them, at most {@value #MAX_NAMED}. */
  public List<String> names() {
    return names;
  }

  /** Why an object of the class does not wrap it, as a clause without a subject; else null. */
  public @Nullable String fault() {
    return fault;
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
