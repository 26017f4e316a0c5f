package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Weaves one class of Netty's buffer package, or an allocator of anybody's: where lives begin,
 * where counts rise, and where they reach 0. {@link InsertionPoint} has the table.
 */
final class NettyVisitor extends ClassVisitor {
  private final String name;
  private final BufferShape shape;
  private boolean allocator;

  /** Descriptor of the field that the shape reads. */
  private String fieldType = "";

  /**
   * @param name internal name of the class visited
   * @param shape how the class changes beside its methods' bodies
   */
  NettyVisitor(ClassVisitor next, String name, BufferShape shape) {
    super(Opcodes.ASM9, next);
    this.name = name;
    this.shape = shape;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    // Others inherit the methods that Netty's own allocators have, where lives begin further in.
    allocator =
        !NettyNames.isInBufferPackage(name)
            && Arrays.stream(interfaces).anyMatch(NettyNames::isAllocator);
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String field,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    fieldType = field.equals(shape.field()) ? descriptor : fieldType;
    return super.visitField(access, field, descriptor, signature, value);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    if ((access & (ACC_ABSTRACT | ACC_NATIVE | ACC_BRIDGE)) != 0) {
      return next;
    }
    return InsertionPoint.visitor(
        next, new InsertionPoint.Method(name, allocator, access, method, descriptor));
  }

  @Override
  public void visitEnd() {
    shape.addMethods(cv, name, fieldType);
    super.visitEnd();
  }
}
