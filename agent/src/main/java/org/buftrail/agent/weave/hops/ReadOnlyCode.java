package org.buftrail.agent.weave.hops;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Follows the buffers that one method gets, and what is made of them, through its local variables
 * and its stack, and finds whether the method does anything but read them.
 *
 * <p>Reads the code once, with expanded frames. Where that is not enough, as for a loop that
 * carries a buffer from one round to the next, the method counts as one that does more.
 */
abstract class ReadOnlyCode extends MethodVisitor {
  private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";

  /** By opcode: how many words it adds to the stack, counted from E on. For the plain ones. */
  private static final String DEPTHS =
      // Constants, then loads.
      "EFFFFFFFFGGFFFGGFFFFG"
          + "FGFGFEEEEEEEEEEEEEEEEEEEE"
          + "DEDEDDDD"
          // Stores, then what moves words about.
          + "DCDCDEEEEEEEEEEEEEEEEEEEE"
          + "BABABBBB"
          + "DCFFFGGGE"
          // Arithmetic, conversions, comparisons.
          + "DCDCDCDCDCDCDCDCDCDCEEEE"
          + "DDDDDDDCDCDCE"
          + "FEFDDEEFFDEDEEE"
          + "BDDBB";

  private final Set<Label> handlers = new HashSet<>();

  /** By label that was jumped to or passed. */
  private final Map<Label, State> states = new HashMap<>();

  private final Set<Label> placed = new HashSet<>();

  /** The labels at the present place. */
  private final List<Label> here = new ArrayList<>();

  /** Local variables that have held a buffer somewhere. */
  private final BitSet ever = new BitSet();

  private State now = new State();
  private boolean isReachable = true;
  private boolean doesMore;

  /** Which words may be a buffer. */
  private static final class State {
    final BitSet locals = new BitSet();
    final BitSet stack = new BitSet();
    int depth;

    /** Local variables that may hold an object here; null where that is not known. */
    @Nullable BitSet objects;

    State copy() {
      State copy = new State();
      copy.locals.or(locals);
      copy.stack.or(stack);
      copy.depth = depth;
      return copy;
    }
  }

  /**
   * @param isStatic whether the method has no {@code this}
   * @param buffers which parameters may be or hold a buffer
   */
  ReadOnlyCode(boolean isStatic, Type[] parameters, boolean[] buffers) {
    super(Opcodes.ASM9);
    int local = isStatic ? 0 : 1;
    for (int i = 0; i < parameters.length; i++) {
      now.locals.set(local, buffers[i]);
      local += parameters[i].getSize();
    }
    ever.or(now.locals);
  }

  /**
   * Whether a call only reads the buffers that it gets.
   *
   * @param receiver whether the object is called that may be one
   * @param arguments which arguments may be
   */
  abstract boolean onlyReads(
      int opcode,
      String owner,
      String method,
      String descriptor,
      boolean receiver,
      boolean[] arguments);

  /** Whether a value of a type that was had from a buffer may be one, too. */
  abstract boolean mayCarry(Type type);

  /** Called at the end of a method that does nothing but read. */
  abstract void isReader();

  private void push(boolean buffer) {
    now.stack.set(now.depth++, buffer);
  }

  private void push(Type type, boolean buffer) {
    for (int i = 0; i < type.getSize(); i++) {
      push(buffer);
    }
  }

  private boolean pop() {
    if (now.depth == 0) {
      doesMore = true;
      return false;
    }
    boolean buffer = now.stack.get(--now.depth);
    now.stack.clear(now.depth);
    return buffer;
  }

  private boolean pop(int words) {
    boolean any = false;
    for (int i = 0; i < words; i++) {
      any |= pop();
    }
    return any;
  }

  /** A value may be a buffer that is kept or passed on. */
  private void escape(boolean buffer) {
    doesMore |= buffer;
  }

  /** Applies an instruction that gives no object but those that lay on the stack. */
  private void plain(int opcode) {
    int added = DEPTHS.charAt(opcode) - 'E';
    for (int i = 0; i < added; i++) {
      push(false);
    }
    pop(Math.max(0, -added));
    here.clear();
  }

  /** Copies the upper words below the lower ones. */
  private void duplicate(int upper, int lower) {
    int words = upper + lower;
    if (now.depth < words) {
      doesMore = true;
      return;
    }
    BitSet above = now.stack.get(now.depth - words, now.depth);
    pop(words);
    for (int i = lower; i < words; i++) {
      push(above.get(i));
    }
    for (int i = 0; i < words; i++) {
      push(above.get(i));
    }
  }

  private void jump(Label label) {
    State known = states.get(label);
    if (known == null) {
      states.put(label, now.copy());
    } else if (!placed.contains(label)) {
      merge(known);
    } else {
      // Back to where a buffer may not have been expected.
      BitSet unexpected = now.copy().locals;
      unexpected.andNot(known.locals);
      if (known.objects != null) {
        unexpected.and(known.objects);
      }
      doesMore |= !unexpected.isEmpty() || !now.stack.isEmpty();
    }
  }

  private void merge(State into) {
    doesMore |= into.depth != now.depth;
    into.locals.or(now.locals);
    into.stack.or(now.stack);
  }

  private void leave() {
    isReachable = false;
    here.clear();
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    handlers.add(handler);
  }

  @Override
  public void visitLabel(Label label) {
    State known = states.get(label);
    if (handlers.contains(label)) {
      now = new State();
      now.locals.or(ever);
      push(false);
    } else if (known != null) {
      if (isReachable) {
        merge(known);
      }
      now = known.copy();
    } else if (!isReachable) {
      // Only a later jump leads here, as to the body of a loop whose condition stands below it.
      now.stack.clear();
      now.depth = 0;
    }
    isReachable = true;
    states.put(label, now.copy());
    placed.add(label);
    here.add(label);
  }

  @Override
  public void visitFrame(
      int kind, int locals, Object @Nullable [] local, int words, Object @Nullable [] stack) {
    BitSet objects = new BitSet();
    int slot = 0;
    for (int i = 0; local != null && i < locals; i++) {
      Object type = local[i];
      objects.set(slot, !(type instanceof Integer));
      slot += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
    }
    now.locals.and(objects);
    for (Label label : here) {
      State state = now.copy();
      state.objects = objects;
      states.put(label, state);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    switch (opcode) {
      case Opcodes.DUP:
        duplicate(1, 0);
        break;
      case Opcodes.DUP_X1:
        duplicate(1, 1);
        break;
      case Opcodes.DUP_X2:
        duplicate(1, 2);
        break;
      case Opcodes.DUP2:
        duplicate(2, 0);
        break;
      case Opcodes.DUP2_X1:
        duplicate(2, 1);
        break;
      case Opcodes.DUP2_X2:
        duplicate(2, 2);
        break;
      case Opcodes.SWAP:
        boolean upper = pop();
        boolean lower = pop();
        push(upper);
        push(lower);
        break;
      case Opcodes.AASTORE:
        escape(pop(3));
        break;
      case Opcodes.ARETURN:
        escape(pop());
        leave();
        break;
      case Opcodes.ARRAYLENGTH:
        break;
      case Opcodes.MONITORENTER:
      case Opcodes.MONITOREXIT:
        pop();
        break;
      default:
        if (opcode >= Opcodes.IRETURN) {
          leave();
        } else {
          plain(opcode);
        }
    }
    here.clear();
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    if (opcode != Opcodes.NEWARRAY) {
      push(false);
    }
    here.clear();
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    if (opcode == Opcodes.ALOAD) {
      push(now.locals.get(variable));
    } else if (opcode == Opcodes.ASTORE) {
      boolean buffer = pop();
      now.locals.set(variable, buffer);
      ever.set(variable, ever.get(variable) || buffer);
    } else if (opcode < Opcodes.ISTORE) {
      plain(opcode);
    } else if (opcode <= Opcodes.ASTORE) {
      plain(opcode);
      now.locals.clear(variable);
      boolean isWide = opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE;
      now.locals.clear(variable + (isWide ? 1 : 0));
    } else {
      // A subroutine of old.
      doesMore = true;
    }
    here.clear();
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    if (opcode == Opcodes.NEW) {
      push(false);
    } else if (opcode != Opcodes.CHECKCAST) {
      pop();
      push(false);
    }
    here.clear();
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
    Type type = Type.getType(descriptor);
    if (opcode == Opcodes.GETFIELD) {
      push(type, pop() && mayCarry(type));
    } else if (opcode == Opcodes.GETSTATIC) {
      push(type, false);
    } else {
      escape(pop(type.getSize()));
      pop(opcode == Opcodes.PUTFIELD ? 1 : 0);
    }
    here.clear();
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String method, String descriptor, boolean isInterface) {
    Type[] parameters = Type.getArgumentTypes(descriptor);
    boolean[] arguments = new boolean[parameters.length];
    boolean any = false;
    for (int i = parameters.length - 1; i >= 0; i--) {
      arguments[i] = pop(parameters[i].getSize());
      any |= arguments[i];
    }
    boolean receiver = opcode != Opcodes.INVOKESTATIC && pop();
    any |= receiver;
    if (any) {
      escape(!onlyReads(opcode, owner, method, descriptor, receiver, arguments));
    }
    Type result = Type.getReturnType(descriptor);
    push(result, any && mayCarry(result));
    here.clear();
  }

  @Override
  public void visitInvokeDynamicInsn(
      String method, String descriptor, Handle bootstrap, Object... arguments) {
    boolean any = false;
    for (Type parameter : Type.getArgumentTypes(descriptor)) {
      any |= pop(parameter.getSize());
    }
    // A lambda keeps what it captures; a text is made of what an object says of itself.
    escape(any && !bootstrap.getOwner().equals(CONCATENATION));
    push(Type.getReturnType(descriptor), false);
    here.clear();
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    if (opcode == Opcodes.JSR) {
      doesMore = true;
    } else if (opcode != Opcodes.GOTO) {
      boolean isOfTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
      pop(isOfTwo ? 2 : 1);
    }
    jump(label);
    here.clear();
    if (opcode == Opcodes.GOTO) {
      leave();
    }
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
    select(otherwise, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    select(otherwise, labels);
  }

  private void select(Label otherwise, Label[] labels) {
    pop();
    jump(otherwise);
    for (Label label : labels) {
      jump(label);
    }
    leave();
  }

  @Override
  public void visitLdcInsn(Object value) {
    boolean isWide =
        value instanceof Long
            || value instanceof Double
            || (value instanceof ConstantDynamic && ((ConstantDynamic) value).getSize() == 2);
    push(false);
    if (isWide) {
      push(false);
    }
    here.clear();
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    here.clear();
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    pop(dimensions);
    push(false);
    here.clear();
  }

  @Override
  public void visitEnd() {
    if (!doesMore) {
      isReader();
    }
  }
}
