package org.buftrail.agent.weave.resources;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves the members of one class that open or close resources.
 *
 * <p>As for buffers, every insertion is one static call: at the normal exits of what opens, on
 * entry of what closes, since a pool may hand the object out again before that returns. Only where
 * objects count their holders it is the exit: before that, nothing shows whether others are left.
 */
public final class ResourceVisitor extends ClassVisitor {
  private final @Nullable ClassLoader loader;
  private final List<Use> uses;

  /** Methods, as {@code name(parameters)result}, in which {@code this} may be something else. */
  private final Set<String> reusing;

  /** A member of a rule that the class may declare. */
  private static final class Use {
    final ResourceRule rule;
    final ResourceRule.Member member;
    final boolean opens;

    Use(ResourceRule rule, ResourceRule.Member member, boolean opens) {
      this.rule = rule;
      this.member = member;
      this.opens = opens;
    }
  }

  private ResourceVisitor(
      ClassVisitor next, @Nullable ClassLoader loader, List<Use> uses, Set<String> reusing) {
    super(Opcodes.ASM9, next);
    this.loader = loader;
    this.uses = uses;
    this.reusing = reusing;
  }

  /**
   * The class woven, or null when no rule has anything to do with it.
   *
   * @param rewriter does it
   * @param loaded the class, if it is loaded already
   * @param head of the class file
   */
  public static byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      @Nullable Class<?> loaded,
      byte[] classFile,
      ClassHead head,
      List<ResourceRule> rules) {
    List<Use> declared = new ArrayList<>();
    for (ResourceRule rule : rules) {
      addNamed(rule, rule.open, true, classFile, declared);
      addNamed(rule, rule.close, false, classFile, declared);
    }
    declared.removeIf(
        use -> !isDeclared(use.member, head) || !use.member.isIn(loader, loaded, head));
    if (declared.isEmpty()) {
      return null;
    }
    Set<String> reusing = reusing(new ClassReader(classFile), declared);
    return rewriter.rewrite(
        classFile, next -> new ResourceVisitor(next, loader, declared, reusing));
  }

  /**
   * Weaves a class made for the purpose, so that all that weaving needs is loaded before a class is
   * woven without which nothing can be loaded.
   */
  public static void rehearse() {
    String type = "Rehearsal";
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, type, null, "java/lang/Object", null);
    for (String method : List.of("open", "close")) {
      MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, method, "()V", null, null);
      mv.visitCode();
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 1);
      mv.visitEnd();
    }
    made.visitEnd();
    ResourceRule.Member open = new ResourceRule.Member(type, "open", "");
    ResourceRule.Member close = new ResourceRule.Member(type, "close", null);
    ResourceRule rule = new ResourceRule(0, type, List.of(open), List.of(close));
    Rewriter rewriter = new Rewriter(line -> {});
    byte[] file = made.toByteArray();
    if (weave(rewriter, null, null, file, new ClassHead(file), List.of(rule)) == null) {
      throw new IllegalStateException("resources cannot be woven");
    }
  }

  /** Most classes have no such name in them, which is quick to see. */
  private static void addNamed(
      ResourceRule rule,
      List<ResourceRule.Member> members,
      boolean opens,
      byte[] classFile,
      List<Use> named) {
    for (ResourceRule.Member member : members) {
      String name = member.isConstructor() ? member.owner : member.name;
      if (ByteSearch.contains(classFile, name.getBytes(StandardCharsets.UTF_8))) {
        named.add(new Use(rule, member, opens));
      }
    }
  }

  private static boolean isDeclared(ResourceRule.Member member, ClassHead head) {
    return head.methods().stream()
        .anyMatch(method -> member.isNamed(method.name, method.descriptor));
  }

  /**
   * Methods that use the variable of {@code this} again, as compilers that make code smaller do.
   * Jumps lead back, so a store may come anywhere in the code.
   */
  private static Set<String> reusing(ClassReader reader, List<Use> declared) {
    Set<String> reusing = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            if (declared.stream().noneMatch(use -> use.member.isNamed(method, descriptor))) {
              return null;
            }
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public void visitVarInsn(int opcode, int variable) {
                if (variable == 0 && opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
                  reusing.add(method + descriptor);
                }
              }
            };
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return reusing;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor woven = super.visitMethod(access, method, descriptor, signature, exceptions);
    if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) != 0) {
      return woven;
    }
    boolean keepsThis =
        (access & Opcodes.ACC_STATIC) == 0 && !reusing.contains(method + descriptor);
    for (Use use : uses) {
      if (use.member.isNamed(method, descriptor)) {
        MethodVisitor next = woven;
        woven =
            use.opens
                ? opening(next, use, keepsThis, descriptor)
                : closing(next, use, access, keepsThis, descriptor);
        if (woven != next) {
          use.member.isWoven = true;
        }
      }
    }
    return woven;
  }

  private static MethodVisitor opening(
      MethodVisitor next, Use use, boolean keepsThis, String descriptor) {
    boolean returnsObject = Type.getReturnType(descriptor).getSort() == Type.OBJECT;
    return returnsObject || keepsThis
        ? new AtExits(next, "opened", use.rule.id, returnsObject)
        : next;
  }

  private MethodVisitor closing(
      MethodVisitor next, Use use, int access, boolean keepsThis, String descriptor) {
    int closed = closedVariable(use, access, descriptor);
    if (closed < 0) {
      return next;
    }
    if (use.rule.counted) {
      // The object's own count has fallen then. An argument may be something else by then.
      return closed == 0 && keepsThis ? new AtExits(next, "closed", use.rule.id, false) : next;
    }
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitVarInsn(Opcodes.ALOAD, closed);
        Insns.resource(mv, "closed", use.rule.id);
      }
    };
  }

  /** Tells at the normal exits, of what is returned or of {@code this}. */
  private static final class AtExits extends MethodVisitor {
    private final String event;
    private final int rule;
    private final boolean ofReturned;

    AtExits(MethodVisitor next, String event, int rule, boolean ofReturned) {
      super(Opcodes.ASM9, next);
      this.event = event;
      this.rule = rule;
      this.ofReturned = ofReturned;
    }

    @Override
    public void visitInsn(int opcode) {
      if (ofReturned && opcode == Opcodes.ARETURN) {
        super.visitInsn(Opcodes.DUP);
        Insns.resource(mv, event, rule);
      } else if (!ofReturned && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        Insns.resource(mv, event, rule);
      }
      super.visitInsn(opcode);
    }
  }

  /** {@code this} for a method of the type, else the first parameter of the type, else -1. */
  private int closedVariable(Use use, int access, String descriptor) {
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    int local = isStatic ? 0 : 1;
    if (!isStatic && use.member.isOf(use.rule.type)) {
      return 0;
    }
    for (Type type : Type.getArgumentTypes(descriptor)) {
      if (use.rule.includes(loader, type)) {
        return local;
      }
      local += type.getSize();
    }
    return -1;
  }
}
