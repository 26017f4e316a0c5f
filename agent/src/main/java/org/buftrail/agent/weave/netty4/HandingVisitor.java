package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves what hands each message of a pipeline to its next handler: Netty's contexts, which call
 * {@code DefaultChannelPipeline.touch(message, context)} right before, in 4.1 and 4.2. The handler
 * is asked of the context, which gives a field of its own, as Netty does after that.
 */
final class HandingVisitor extends ClassVisitor {
  private static final String PIPELINE = "DefaultChannelPipeline";
  private static final String CONTEXT = "ChannelHandlerContext";

  HandingVisitor(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Whether a class hands messages to handlers. */
  static boolean isHanding(String internalName) {
    return internalName.endsWith("/AbstractChannelHandlerContext")
        && NettyNames.isOfChannels(internalName);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return new Calls(next, method.startsWith("write") ? "handedOut" : "handedIn");
  }

  private static final class Calls extends MethodVisitor {
    private final String event;

    Calls(MethodVisitor next, String event) {
      super(Opcodes.ASM9, next);
      this.event = event;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String callee, String descriptor, boolean isInterface) {
      if (callee.equals("touch")
          && owner.endsWith("/" + PIPELINE)
          && Type.getArgumentTypes(descriptor).length == 2) {
        String channels = owner.substring(0, owner.length() - PIPELINE.length());
        String handler = "()L" + channels + "ChannelHandler;";
        super.visitInsn(DUP2);
        super.visitMethodInsn(INVOKEINTERFACE, channels + CONTEXT, "handler", handler, true);
        String both = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        super.visitMethodInsn(INVOKESTATIC, Names.BUFFERS, event, both, false);
      }
      super.visitMethodInsn(opcode, owner, callee, descriptor, isInterface);
    }
  }
}
