package org.buftrail.agent.weave.hops;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.agent.weave.classfile.CountCall;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The methods of one class that release buffers, themselves or by a method that they refer to. */
final class ReleasingMethods extends ClassVisitor {
  private final TrackedTypes types;
  private final List<String> found = new ArrayList<>();

  private ReleasingMethods(TrackedTypes types) {
    super(Opcodes.ASM9);
    this.types = types;
  }

  /** Returns them by name and descriptor, in the order of the class file. */
  static List<String> of(ClassReader reader, TrackedTypes types) {
    ReleasingMethods methods = new ReleasingMethods(types);
    reader.accept(methods, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return methods.found;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return HopVisitor.isWritten(access, method) ? new Code(method + descriptor) : null;
  }

  private final class Code extends MethodVisitor {
    private final String key;
    private boolean releases;

    Code(String key) {
      super(Opcodes.ASM9);
      this.key = key;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      CountCall call = types.countCall(opcode, owner, method, descriptor);
      releases |= call != null && call.releases;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String method, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        if (argument instanceof Handle) {
          Handle called = (Handle) argument;
          int opcode =
              called.getTag() == Opcodes.H_INVOKESTATIC
                  ? Opcodes.INVOKESTATIC
                  : Opcodes.INVOKEVIRTUAL;
          visitMethodInsn(opcode, called.getOwner(), called.getName(), called.getDesc(), false);
        }
      }
    }

    @Override
    public void visitEnd() {
      if (releases) {
        found.add(key);
      }
    }
  }
}
