package org.buftrail.agent.weave.executors;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.classfile.MethodsVisitor;
import org.buftrail.agent.weave.classfile.Names;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Inserts what rules say. It does not branch. */
final class ExecutorVisitor extends MethodsVisitor {
  private static final String OF_OBJECT = "(Ljava/lang/Object;)V";

  /** A task that is run once. */
  private static final Set<String> TASKS =
      Set.of("java/lang/Runnable", "java/util/concurrent/ForkJoinTask");

  /** A task that a timer may run more than once. */
  private static final Set<String> TIMED =
      Set.of("java/util/TimerTask", "java/util/concurrent/RunnableScheduledFuture");

  /** Classes of tasks that are called by these names. */
  private static final Set<String> RUN_THEMSELVES =
      Set.of("java/util/TimerTask", "kotlinx/coroutines/scheduling/Task");

  private static final String TIMED_BY_NETTY = "netty/util/concurrent/ScheduledFutureTask";

  private final List<ExecutorHooks.Rule> rules;

  ExecutorVisitor(ClassVisitor next, List<ExecutorHooks.Rule> rules) {
    super(next);
    this.rules = rules;
  }

  @Override
  protected MethodVisitor visit(MethodVisitor next, int access, String name, String descriptor) {
    List<Hook> hooks = ExecutorHooks.hooks(rules, name);
    boolean isBare = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
    return hooks.isEmpty() || isBare
        ? next
        : new Method(next, hooks, (access & Opcodes.ACC_STATIC) != 0, name, descriptor);
  }

  private static final class Method extends MethodVisitor {
    private final List<Hook> hooks;
    private final boolean isStatic;
    private final String name;
    private final String descriptor;

    Method(MethodVisitor next, List<Hook> hooks, boolean isStatic, String name, String descriptor) {
      super(Opcodes.ASM9, next);
      this.hooks = hooks;
      this.isStatic = isStatic;
      this.name = name;
      this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      for (Hook hook : hooks) {
        atEntry(hook);
      }
    }

    private void atEntry(Hook hook) {
      switch (hook) {
        case BEGUN:
        case TAKES_ITSELF:
          call(0, hook.call);
          break;
        case HANDED:
        case OFFERED:
        case LASTING:
          callWithTask(hook);
          break;
        case OFFERS_ITSELF:
          if (!isConstructor()) {
            // Before another thread can take it.
            call(0, hook.call);
          }
          break;
        default:
          break;
      }
    }

    private boolean isConstructor() {
      return name.equals("<init>");
    }

    private void callWithTask(Hook hook) {
      Type[] types = Type.getArgumentTypes(descriptor);
      if (types.length > 1 && name.equals("execute")) {
        // Called by the one with a single argument.
        return;
      }
      int local = 1;
      for (Type type : types) {
        if (type.getSort() == Type.OBJECT && isTask(hook, type.getInternalName())) {
          call(local, hook.call);
          return;
        }
        local += type.getSize();
      }
    }

    private static boolean isTask(Hook hook, String type) {
      return hook == Hook.LASTING
          ? TIMED.contains(type) || type.endsWith(TIMED_BY_NETTY)
          : TASKS.contains(type);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= IRETURN && opcode <= RETURN) {
        for (Hook hook : hooks) {
          atReturn(hook);
        }
      }
      super.visitInsn(opcode);
    }

    private void atReturn(Hook hook) {
      switch (hook) {
        case MADE:
        case LASTS_ITSELF:
          call(0, hook.call);
          break;
        case OFFERS_ITSELF:
          if (isConstructor()) {
            call(0, hook.call);
          }
          break;
        case TAKES_ITSELF:
          call(0, "ended");
          break;
        default:
          break;
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String type, boolean isOfInterface) {
      boolean runs =
          called.equals("run")
              && type.equals("()V")
              && ((opcode == INVOKEINTERFACE && owner.equals("java/lang/Runnable"))
                  || (opcode == INVOKEVIRTUAL && RUN_THEMSELVES.contains(owner)));
      if (runs && hooks.contains(Hook.RUNS)) {
        super.visitMethodInsn(
            INVOKESTATIC, Names.EXECUTOR_SCOPES, Hook.RUNS.call, "(Ljava/lang/Runnable;)V", false);
      } else {
        super.visitMethodInsn(opcode, owner, called, type, isOfInterface);
      }
    }

    private void call(int local, String method) {
      if (!isStatic) {
        super.visitVarInsn(ALOAD, local);
        super.visitMethodInsn(INVOKESTATIC, Names.EXECUTOR_SCOPES, method, OF_OBJECT, false);
      }
    }
  }
}
