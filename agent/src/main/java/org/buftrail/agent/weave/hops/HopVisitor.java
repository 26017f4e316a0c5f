package org.buftrail.agent.weave.hops;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import java.util.Set;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.CountCall;
import org.buftrail.agent.weave.classfile.FirstLines;
import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.TypeVariables;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves one class of the application: entries of methods that take a buffer, exits of those that
 * return one, and calls that get one.
 */
public final class HopVisitor extends ClassVisitor {
  private final String name;
  private final TrackedTypes carriers;
  private final Extent scope;
  private final FirstLines firstLines;
  private final MethodUses uses;

  /** Which parts of a class are woven. */
  public static final class Extent {
    final Predicate<String> instrumented;
    final @Nullable Set<String> descriptors;
    final boolean methods;
    final boolean calls;
    final boolean constructors;
    final boolean holder;
    final boolean callLines;

    /**
     * @param instrumented tests the internal name of a class: calls to it are hops already
     * @param descriptors of methods, declared and called, that may have to do with a buffer or a
     *     resource; null for any
     * @param methods whether methods of this class are woven
     * @param calls whether there may be calls in them that are
     * @param constructors whether its constructors are
     * @param holder whether it holds a buffer itself
     * @param callLines whether lines that release, retain or pass straight on what another method
     *     gave are hops
     */
    public Extent(
        Predicate<String> instrumented,
        @Nullable Set<String> descriptors,
        boolean methods,
        boolean calls,
        boolean constructors,
        boolean holder,
        boolean callLines) {
      this.instrumented = instrumented;
      this.descriptors = descriptors;
      this.methods = methods;
      this.calls = calls;
      this.constructors = constructors;
      this.holder = holder;
      this.callLines = callLines;
    }

    boolean mayCarry(String descriptor) {
      return descriptors == null || descriptors.contains(descriptor);
    }
  }

  /**
   * @param firstLines what must be known of each method before its code is visited
   * @param uses {@linkplain ReadOnlyMethods what its methods do} with their buffers
   */
  public HopVisitor(
      ClassVisitor next,
      String name,
      TrackedTypes carriers,
      Extent scope,
      FirstLines firstLines,
      MethodUses uses) {
    super(Opcodes.ASM9, next);
    this.name = name;
    this.carriers = carriers;
    this.scope = scope;
    this.firstLines = firstLines;
    this.uses = uses;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    boolean @Nullable [] variables =
        TypeVariables.of(signature, Type.getArgumentTypes(descriptor).length);
    if (!(scope.calls || variables != null || scope.mayCarry(descriptor))
        || !isWritten(access, method)
        || (scope.holder && carriers.isOfHolders(method))) {
      return next;
    }
    MethodHops hops = new MethodHops(next, access, method, descriptor, variables);
    // A method without a visitor of its own is copied as it is.
    return hops.inserts() ? hops : next;
  }

  /** Whether somebody wrote the method, as a method or as a lambda, and it has a body. */
  static boolean isWritten(int access, String method) {
    return (access & (ACC_ABSTRACT | ACC_NATIVE | ACC_BRIDGE)) == 0
        && ((access & ACC_SYNTHETIC) == 0 || isLambda(method));
  }

  /** Whether the compilers of Java, Kotlin and Scala name the body of a lambda so. */
  static boolean isLambda(String method) {
    return method.contains("lambda$") || method.startsWith("$anonfun$");
  }

  private final class MethodHops extends Construction {
    private final int access;
    private final String method;
    private final String descriptor;
    private final boolean enters;
    private final boolean handles;
    private final boolean returns;
    private final boolean returnsResource;
    private final boolean counts;
    private final boolean @Nullable [] variables;
    private int line;

    /** The type that the last instruction got from an instrumented method or wrapper, else void. */
    private Type given = Type.VOID_TYPE;

    /** Whether the last instruction took an object out of something that keeps objects. */
    private boolean takes;

    /**
     * @param variables which parameters have a type variable for their type, or null
     */
    MethodHops(
        MethodVisitor next,
        int access,
        String method,
        String descriptor,
        boolean @Nullable [] variables) {
      super(next);
      this.variables = variables;
      this.access = access;
      this.method = method;
      this.descriptor = descriptor;
      this.handles = carriers.takesContext(descriptor);
      Type result = Type.getReturnType(descriptor);
      this.enters = method.equals("<init>") ? scope.constructors : scope.methods;
      this.returns = scope.methods && carriers.carries(result, handles);
      this.returnsResource = scope.methods && carriers.isResource(result);
      // The caller of a message's own method releases it.
      this.counts = scope.calls && scope.callLines && !(scope.holder && CountCall.isName(method));
    }

    /** Whether a parameter may hold a buffer to report. */
    private boolean enters(Type type, int parameter) {
      return enters
          && (carriers.carries(type, handles)
              || (variables != null
                  && variables[parameter]
                  && type.getDescriptor().equals("Ljava/lang/Object;")));
    }

    /** Whether anything may be inserted. */
    boolean inserts() {
      if (scope.calls || returns || returnsResource) {
        return true;
      }
      Type[] parameters = Type.getArgumentTypes(descriptor);
      for (int i = 0; i < parameters.length; i++) {
        if (enters(parameters[i], i) || (enters && carriers.isResource(parameters[i]))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      int local = (access & ACC_STATIC) != 0 ? 0 : 1;
      Type[] parameters = Type.getArgumentTypes(descriptor);
      for (int i = 0; i < parameters.length; i++) {
        Type type = parameters[i];
        if (enters(type, i)) {
          visitVarInsn(Opcodes.ALOAD, local);
          Insns.flow(mv, "hop", methodSite(""));
        } else if (enters && carriers.isResource(type)) {
          visitVarInsn(Opcodes.ALOAD, local);
          Insns.resource(mv, "passed", methodSite(""));
        }
        local += type.getSize();
      }
    }

    @Override
    public void visitLineNumber(int line, org.objectweb.asm.Label start) {
      this.line = line;
      super.visitLineNumber(line, start);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN && returns) {
        mv.visitInsn(Opcodes.DUP);
        Insns.flow(mv, "hop", methodSite(Site.RETURN_SUFFIX));
      } else if (opcode == Opcodes.ARETURN && returnsResource) {
        mv.visitInsn(Opcodes.DUP);
        Insns.resource(mv, "passed", methodSite(Site.RETURN_SUFFIX));
      }
      super.visitInsn(opcode);
    }

    /** What was taken and is a buffer is this method's, as what another method gave. */
    @Override
    public void visitTypeInsn(int opcode, String type) {
      Type cast = Type.getObjectType(type);
      boolean gives = takes && opcode == Opcodes.CHECKCAST && carriers.carries(cast, false);
      super.visitTypeInsn(opcode, type);
      given = gives ? cast : given;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String type) {
      if (opcode == Opcodes.PUTFIELD
          && scope.instrumented.test(owner)
          && carriers.carries(Type.getType(type), false)) {
        carriers.noteGiven(owner, Names.binary(name) + '.' + method);
      }
      super.visitFieldInsn(opcode, owner, field, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String callee, String calleeDescriptor, boolean isInterface) {
      boolean checks = takes && callee.equals("requireNonNull");
      CountCall count = counts ? countCall(opcode, owner, callee, calleeDescriptor) : null;
      if (count != null && count.releases) {
        // The line of the release stands for what it releases, even if that was just returned.
        given = Type.VOID_TYPE;
        mv.visitInsn(count.byNumber ? Opcodes.DUP2 : Opcodes.DUP);
        if (count.byNumber) {
          mv.visitInsn(Opcodes.POP);
        }
        Insns.flow(mv, "hop", callSite());
      }
      int taken = count == null ? takenByLibrary(opcode, owner, callee, calleeDescriptor) : -1;
      if (taken >= 0) {
        int receiver = Sites.intern(new Site(Names.binary(owner), callee, "", 0, ""));
        int spare = firstLines.unusedLocal(method, descriptor);
        Given.insert(mv, calleeDescriptor, taken, spare, callSite(), receiver);
      }
      super.visitMethodInsn(opcode, owner, callee, calleeDescriptor, isInterface);
      if (count != null && !count.releases) {
        mv.visitInsn(Opcodes.DUP);
        Insns.flow(mv, "retainedIn", callSite());
        return;
      }
      boolean constructs = opcode == Opcodes.INVOKESPECIAL && callee.equals("<init>");
      boolean copyLeft = constructs && isCopyLeft(owner);
      takes = scope.calls && (checks || TakingCalls.take(callee, calleeDescriptor));
      if (!scope.calls || !scope.mayCarry(calleeDescriptor)) {
        return;
      }
      if (scope.instrumented.test(owner)) {
        if (constructs && carriers.mayCarry(calleeDescriptor)) {
          carriers.noteGiven(owner, Names.binary(name) + '.' + method);
        }
        if (!carriers.isOfHolders(callee)) {
          boolean wraps =
              copyLeft && carriers.isWrapper(owner) && carriers.mayCarry(calleeDescriptor);
          given = wraps ? Type.getObjectType(owner) : Type.getReturnType(calleeDescriptor);
        }
        return;
      }
      if (carriers.mayReturnNewBuffer(owner, callee, calleeDescriptor)) {
        super.visitInsn(Opcodes.DUP);
        Insns.flow(mv, "requested", callSite());
      } else if (constructs
          ? copyLeft && carriers.isResource(Type.getObjectType(owner))
          : carriers.isResource(Type.getReturnType(calleeDescriptor))) {
        super.visitInsn(Opcodes.DUP);
        Insns.resource(mv, "requested", callSite());
      }
    }

    /** The argument of a call that may give a buffer to a library without a hop, or -1. */
    private int takenByLibrary(int opcode, String owner, String callee, String type) {
      boolean isOfSuper = opcode == Opcodes.INVOKESPECIAL && !callee.equals("<init>");
      return !scope.calls || isOfSuper || !scope.mayCarry(type) || scope.instrumented.test(owner)
          ? -1
          : carriers.taken(owner, callee, type);
    }

    /** One of the application's own static methods is a hop itself. */
    private @Nullable CountCall countCall(int opcode, String owner, String callee, String type) {
      return opcode == Opcodes.INVOKESTATIC && scope.instrumented.test(owner)
          ? null
          : carriers.countCall(opcode, owner, callee, type);
    }

    /** What another method gave is this method's from here on, unless it returns it in turn. */
    @Override
    void before(int opcode) {
      takes = false;
      if (!scope.callLines && isLeftToTheNext(opcode)) {
        return;
      }
      Type result = given;
      given = Type.VOID_TYPE;
      if (result.getSort() != Type.OBJECT || !isKept(opcode)) {
        return;
      }
      if (carriers.carries(result, false)) {
        mv.visitInsn(Opcodes.DUP);
        Insns.flow(mv, "hop", callSite());
      } else if (carriers.isResource(result)) {
        mv.visitInsn(Opcodes.DUP);
        Insns.resource(mv, "passed", callSite());
      }
    }

    /**
     * Whether an instruction stores a value or passes it on. A returned value is a hop at the exit.
     * A dropped one is mostly the object that a method returns for chained calls. What a branch
     * ends with is mostly stored where branches meet.
     */
    private boolean isKept(int opcode) {
      return scope.callLines
          ? opcode != Opcodes.ARETURN && opcode != Opcodes.POP
          : isStoring(opcode) || opcode == Opcodes.GOTO;
    }

    private boolean isStoring(int opcode) {
      return opcode == Opcodes.ASTORE || opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
    }

    /** Whether the value is on top still, and the next instruction tells what becomes of it. */
    private boolean isLeftToTheNext(int opcode) {
      return opcode == LABEL
          || opcode == Opcodes.CHECKCAST
          || (opcode >= Opcodes.DUP && opcode <= Opcodes.DUP_X2);
    }

    private int callSite() {
      return Sites.intern(new Site(Names.binary(name), method, "", line, ""));
    }

    private int methodSite(String suffix) {
      int at = firstLines.line(method, descriptor);
      Site site = new Site(Names.binary(name), method, descriptor, at, suffix);
      return Sites.intern(
          suffix.isEmpty() ? uses.marked(site, method + descriptor, firstLines) : site);
    }
  }
}
