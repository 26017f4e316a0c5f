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
import org.objectweb.asm.FieldVisitor;
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
   * @param test of the internal name of a field's type
   */
  public static @Nullable SoleField of(byte[] classFile, Predicate<String> test) {
    ClassReader reader = new ClassReader(classFile);
    Fields fields = new Fields(test);
    int skip = ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;
    reader.accept(fields, skip | ClassReader.SKIP_CODE);
    if (fields.count != 1 || fields.name == null) {
      return null;
    }
    if (!fields.isFinal) {
      Assignments assignments = new Assignments(reader.getClassName(), fields.name);
      reader.accept(assignments, skip);
      if (assignments.found) {
        return null;
      }
    }
    return new SoleField(fields.name);
  }

  public String name() {
    return name;
  }

  private static final class Fields extends ClassVisitor {
    private final Predicate<String> test;
    private boolean isClass;
    int count;
    @Nullable String name;
    boolean isFinal;

    Fields(Predicate<String> test) {
      super(Opcodes.ASM9);
      this.test = test;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      isClass =
          (access & (ACC_INTERFACE | ACC_ENUM | ACC_MODULE)) == 0
              && superName != null
              && (superName.equals("java/lang/Object")
                  || superName.equals("java/lang/Record")
                  || !Names.isOfJdk(superName));
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access,
        String field,
        String descriptor,
        @Nullable String signature,
        @Nullable Object value) {
      // What an anonymous class captures, or is not kept with the object, is not what it is about.
      if (isClass
          && (access & (ACC_STATIC | ACC_TRANSIENT | ACC_SYNTHETIC)) == 0
          && descriptor.startsWith("L")
          && test.test(Type.getType(descriptor).getInternalName())) {
        count++;
        name = field;
        isFinal = (access & ACC_FINAL) != 0;
      }
      return null;
    }
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
