package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.state.BufferHolder;
import org.buftrail.flow.state.HolderRoot;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The field in which a class keeps the buffer that it holds or views, and the method that reads it.
 *
 * <p>A hop must not call {@code content()} or {@code unwrap()}: that is code of somebody else,
 * which may read a file, make a buffer, or throw. What those methods read says which field it is:
 * the one field of its own class that {@code content()} reads. Where they read none, as in uploads
 * on disk, or several, the class is left as it is. Immutable.
 */
final class HeldBufferField {
  /** Where the method is not {@code content()} or {@code unwrap()}, or has another type. */
  private static final Map<String, String> GETTERS =
      Map.of(
          "DefaultAddressedEnvelope", "content",
          "MqttMessage", "payload",
          "AbstractMemoryHttpData", "getByteBuf",
          "ReplayingDecoderByteBuf", "refCnt");

  /** Counts by inheritance, but what it wraps has the count. */
  private static final String WRAPPED_COMPOSITE = "WrappedCompositeByteBuf";

  /** A holder below a class of the JDK's, which no handler is given. */
  private static final String CERTIFICATE = "PemX509Certificate";

  private static final Set<String> VIEWS_EXTEND =
      Set.of("ByteBuf", "AbstractByteBuf", "AbstractDerivedByteBuf");

  private static final String OBJECT = "java/lang/Object";

  private final String owner;

  /** Null where only the superclass changes: see {@link HolderRoots}. */
  private final @Nullable String field;

  private final String descriptor;
  private final boolean held;

  /** Whether the superclass was {@code Object}. */
  private final boolean top;

  private HeldBufferField(ClassHead head, @Nullable String field, String descriptor, boolean held) {
    this.owner = head.name();
    this.field = field;
    this.descriptor = descriptor;
    this.held = held;
    this.top = OBJECT.equals(head.superclass());
  }

  /** Says what kind of class one is; of Netty's own without looking at those above it. */
  static final class Kinds {
    private final Ancestry buffers = Ancestry.ofNamed(NettyNames::isBuffer);
    private final Ancestry counting = Ancestry.ofNamed(NettyNames::isCountingBuffer);
    private final Ancestry holders = Ancestry.ofNamed(NettyNames::isHolder);
    private final Ancestry belowRoots = Ancestry.ofNamed(HolderRoots::contains);

    boolean isView(@Nullable ClassLoader loader, String name, ClassHead head) {
      return NettyNames.isInBufferPackage(name)
          ? VIEWS_EXTEND.contains(Names.simple(String.valueOf(head.superclass())))
              || Names.simple(name).equals(WRAPPED_COMPOSITE)
          : buffers.includes(loader, head) && !counting.includes(loader, head);
    }

    boolean isHolder(@Nullable ClassLoader loader, String name, ClassHead head) {
      return NettyNames.isNetty(name) || holders.includes(loader, head);
    }

    /**
     * Whether objects of a class that loads, or of classes below it, can be known as holders by
     * their interface alone.
     */
    boolean isAboveOthers(
        @Nullable ClassLoader loader,
        String name,
        byte[] classFile,
        @Nullable HeldBufferField part) {
      if (part != null && part.top) {
        return false;
      }
      return HolderRoots.contains(name)
          || (part != null && part.held && !belowRoots.includes(loader, new ClassHead(classFile)));
    }
  }

  /** The part of a class that is about to load, or null. */
  static @Nullable HeldBufferField of(
      @Nullable ClassLoader loader, byte[] classFile, String name, Kinds kinds) {
    String frameworks = FrameworkHolders.field(name);
    if (frameworks != null) {
      return ofField(classFile, name, frameworks);
    }
    if (NettyNames.isNetty(name) && Names.simple(name).equals(CERTIFICATE)) {
      return null;
    }
    String special = NettyNames.isNetty(name) ? GETTERS.get(Names.simple(name)) : null;
    if (special == null && !ByteSearch.contains(classFile, NettyNames.BUFFER_TYPE)) {
      return HolderRoots.contains(name) ? ofRoot(new ClassHead(classFile)) : null;
    }
    ClassHead head = new ClassHead(classFile);
    if (special != null) {
      return read(classFile, head, special, !special.equals("refCnt"));
    }
    HeldBufferField viewed = read(classFile, head, "unwrap", false);
    if (viewed != null) {
      return kinds.isView(loader, name, head) ? viewed : null;
    }
    HeldBufferField content = read(classFile, head, "content", true);
    if (content != null && kinds.isHolder(loader, name, head)) {
      return content;
    }
    return HolderRoots.contains(name) ? ofRoot(head) : null;
  }

  /** Null where something else is above the class than was known here. */
  private static @Nullable HeldBufferField ofRoot(ClassHead head) {
    HeldBufferField root = new HeldBufferField(head, null, "", true);
    return root.top ? root : null;
  }

  /** Whether a loaded class became as {@link #weave} makes it. */
  boolean isOf(Class<?> loaded) {
    return !held
        || (top
            ? loaded.getSuperclass() == HolderRoot.class
            : Arrays.asList(loaded.getInterfaces()).contains(BufferHolder.class));
  }

  /** The part of a class whose field is known by name; null where it has no such field. */
  private static @Nullable HeldBufferField ofField(
      byte[] classFile, String className, String name) {
    String[] found = {""};
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable FieldVisitor visitField(
                  int access,
                  String field,
                  String type,
                  @Nullable String signature,
                  @Nullable Object value) {
                found[0] = field.equals(name) && (access & ACC_STATIC) == 0 ? type : found[0];
                return null;
              }
            },
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    String fault = fault(found[0]);
    FrameworkHolders.note(className, fault);
    return fault == null
        ? new HeldBufferField(new ClassHead(classFile), name, found[0], true)
        : null;
  }

  /**
   * Why nothing can be followed from a field; null where something may be.
   *
   * @param descriptor of the field, empty where there is none
   */
  private static @Nullable String fault(String descriptor) {
    if (descriptor.isEmpty()) {
      return "the class has no such field";
    }
    boolean mayHold =
        descriptor.startsWith("L")
            && !(descriptor.startsWith("Ljava/util/") && !descriptor.equals(FrameworkHolders.QUEUE))
            && !descriptor.startsWith("Ljava/nio/")
            && !(descriptor.startsWith("Ljava/lang/") && !descriptor.equals("Ljava/lang/Object;"));
    return mayHold
        ? null
        : "the field is of type "
            + Type.getType(descriptor).getClassName()
            + ", in which no buffer is looked for";
  }

  private static @Nullable HeldBufferField read(
      byte[] classFile, ClassHead head, String getter, boolean held) {
    if (!ByteSearch.contains(classFile, getter.getBytes(StandardCharsets.UTF_8))) {
      // So it has no such method, as most classes that name a buffer.
      return null;
    }
    Reads reads = new Reads(head.name(), getter, held);
    new ClassReader(classFile).accept(reads, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    if (reads.fields.size() != 1) {
      return null;
    }
    Map.Entry<String, String> only = reads.fields.entrySet().iterator().next();
    return new HeldBufferField(head, only.getKey(), only.getValue(), held);
  }

  /**
   * The class with one more method; if it is a holder's, with the superclass that has it or, where
   * another one is, the interface.
   */
  byte[] weave(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    ClassVisitor holding = top ? new Superclass(writer, Names.HOLDER_ROOT) : new Holding(writer);
    reader.accept(held ? holding : writer, 0);
    addMethod(writer);
    return writer.toByteArray();
  }

  private void addMethod(ClassWriter writer) {
    MethodVisitor mv =
        writer.visitMethod(
            ACC_PUBLIC | ACC_SYNTHETIC,
            held ? "buftrail$content" : "buftrail$owner",
            held ? "()Ljava/lang/Object;" : "()L" + Names.TRACKED_BUFFER + ";",
            null,
            null);
    mv.visitCode();
    if (field == null) {
      mv.visitInsn(ACONST_NULL);
    } else {
      addValue(mv, field);
    }
    mv.visitInsn(ARETURN);
    mv.visitMaxs(1, 1);
    mv.visitEnd();
  }

  /** Pushes what the field has. */
  private void addValue(MethodVisitor mv, String field) {
    mv.visitVarInsn(ALOAD, 0);
    mv.visitFieldInsn(GETFIELD, owner, field, descriptor);
    if (descriptor.equals(FrameworkHolders.QUEUE)) {
      mv.visitMethodInsn(INVOKEINTERFACE, "java/util/Deque", "peek", "()Ljava/lang/Object;", true);
    }
    // No call of the runtime: by those it is known what to restore when the agent is detached.
    if (!held) {
      // Not certain where ByteBuf was loaded before the agent; then nobody asks.
      mv.visitTypeInsn(CHECKCAST, Names.TRACKED_BUFFER);
    }
  }

  /** Adds the interface. */
  private static final class Holding extends ClassVisitor {
    Holding(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        String superName,
        String[] interfaces) {
      String[] more = Arrays.copyOf(interfaces, interfaces.length + 1);
      more[interfaces.length] = Names.HOLDER;
      String generic = signature == null ? null : signature + "L" + Names.HOLDER + ";";
      super.visit(version, access, name, generic, superName, more);
    }
  }

  /** The fields of a class that one of its methods without parameters reads. */
  private static final class Reads extends ClassVisitor {
    private final String owner;
    private final String getter;
    private final boolean held;
    final Map<String, String> fields = new LinkedHashMap<>();

    Reads(String owner, String getter, boolean held) {
      super(Opcodes.ASM9);
      this.owner = owner;
      this.getter = getter;
      this.held = held;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      boolean isGetter =
          method.equals(getter)
              && descriptor.startsWith("()")
              && (access & (ACC_STATIC | ACC_ABSTRACT | ACC_SYNTHETIC)) == 0;
      return isGetter ? new GetterReads() : null;
    }

    private final class GetterReads extends MethodVisitor {
      GetterReads() {
        super(Opcodes.ASM9);
      }

      @Override
      public void visitFieldInsn(int opcode, String from, String field, String type) {
        if (opcode == GETFIELD && from.equals(owner) && mayBePart(type)) {
          fields.put(field, type);
        }
      }
    }

    /** A holder may hold another one, or keep what it holds as an object. */
    private boolean mayBePart(String descriptor) {
      Type type = Type.getType(descriptor);
      if (type.getSort() != Type.OBJECT) {
        return false;
      }
      String name = type.getInternalName();
      return NettyNames.isBuffer(name)
          || (held && (name.equals("java/lang/Object") || !Names.isOfJdk(name)));
    }
  }
}
