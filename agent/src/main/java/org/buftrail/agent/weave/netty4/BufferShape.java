package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISUB;

import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;

/**
 * How a class of Netty's changes beside the bodies of its methods: the superclass of {@code
 * ByteBuf} and what some kinds of buffer show of themselves. What a view or a holder shows is a
 * {@link HeldBufferField}.
 *
 * <p>Only possible while a class loads; {@link #NONE} is for classes that are loaded already.
 */
enum BufferShape {
  /** Nothing changes. */
  NONE,

  /** {@code ByteBuf}: gets {@code TrackedBuffer} as superclass. */
  BUFFER,

  /** {@code AbstractReferenceCountedByteBuf}: counts itself. */
  COUNTING,

  /** Slices of pooled slices: {@code unwrap()} skips the one that has the count. */
  DELEGATING,

  /** A pooled slice or duplicate: counts itself, and holds a reference to its parent. */
  DERIVED,

  /** {@code CompositeByteBuf} and {@code FixedCompositeByteBuf}: show what they are made of. */
  COMPOSITE,
  FIXED_COMPOSITE,

  /** Arrays, of heap or of others, and others' read-only memory: nothing is lost if dropped. */
  UNPOOLED_HEAP,
  READ_ONLY,

  /** Memory outside the heap, Netty's or not. */
  UNPOOLED_DIRECT,

  /** {@code PooledByteBuf}: its memory belongs to an arena. */
  POOLED,

  /** A component of a composite: gets {@code ComponentBase} as superclass. */
  COMPONENT;

  private static final String NEEDS_RELEASE = "buftrail$needsRelease";
  private static final String IS_POOLED = "buftrail$isPooled";

  /** The shape for a class of Netty's buffer package. */
  static BufferShape of(String simpleName) {
    switch (simpleName) {
      case "ByteBuf":
        return BUFFER;
      case "AbstractReferenceCountedByteBuf":
        return COUNTING;
      case "AbstractPooledDerivedByteBuf$PooledNonRetainedDuplicateByteBuf":
      case "AbstractPooledDerivedByteBuf$PooledNonRetainedSlicedByteBuf":
        return DELEGATING;
      case "AbstractPooledDerivedByteBuf":
        return DERIVED;
      case "CompositeByteBuf":
        return COMPOSITE;
      case "FixedCompositeByteBuf":
        return FIXED_COMPOSITE;
      case "UnpooledHeapByteBuf":
        return UNPOOLED_HEAP;
      case "ReadOnlyByteBufferBuf":
        return READ_ONLY;
      case "UnpooledDirectByteBuf":
        return UNPOOLED_DIRECT;
      case "PooledByteBuf":
        return POOLED;
      case "CompositeByteBuf$Component":
        return COMPONENT;
      default:
        return NONE;
    }
  }

  /** Whether a loaded class got this shape as it loaded. */
  boolean isOf(Class<?> loaded) {
    String superclass = superclass();
    if (superclass != null) {
      Class<?> actual = loaded.getSuperclass();
      return actual != null && actual.getName().equals(Names.binary(superclass));
    }
    try {
      return this != NONE && loaded.getDeclaredMethod(added()) != null;
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
  }

  /** The superclass in place of {@code Object}, or null where it stays. */
  @Nullable String superclass() {
    return this == BUFFER ? Names.TRACKED_BUFFER : this == COMPONENT ? Names.JOINED : null;
  }

  /** Puts the visitor for a class of this shape in front of {@code next}. */
  ClassVisitor over(ClassVisitor next) {
    String superclass = superclass();
    return superclass == null ? next : new Superclass(next, superclass);
  }

  /** The field that an added method reads, or null. */
  @Nullable String field() {
    switch (this) {
      case DELEGATING:
        return "referenceCountDelegate";
      case DERIVED:
        return "parent";
      case COMPONENT:
        return "srcBuf";
      case COMPOSITE:
        return "components";
      case FIXED_COMPOSITE:
        return "buffers";
      case UNPOOLED_DIRECT:
        return "doNotFree";
      default:
        return null;
    }
  }

  /**
   * @param type descriptor of {@link #field}, which not every Netty has as another has it
   */
  void addMethods(ClassVisitor cv, String name, String type) {
    boolean array = this == COMPOSITE || this == FIXED_COMPOSITE;
    boolean unpooled = this == UNPOOLED_HEAP || this == READ_ONLY || this == UNPOOLED_DIRECT;
    if (array || unpooled || this == POOLED) {
      addAnswer(cv, name);
    }
    String field = field();
    boolean isThere = field == null || type.startsWith(array ? "[" : "L");
    if (this == NONE || this == BUFFER || unpooled || this == POOLED || !isThere) {
      return;
    }
    String result = array ? "[Ljava/lang/Object;" : "L" + Names.TRACKED_BUFFER + ";";
    MethodVisitor mv =
        cv.visitMethod(ACC_PUBLIC | ACC_SYNTHETIC, added(), "()" + result, null, null);
    mv.visitCode();
    mv.visitVarInsn(ALOAD, 0);
    if (field != null) {
      mv.visitFieldInsn(GETFIELD, name, field, type);
    }
    if (!array) {
      // Not certain where ByteBuf was loaded before the agent; then nobody asks.
      mv.visitTypeInsn(CHECKCAST, Names.TRACKED_BUFFER);
    }
    mv.visitInsn(ARETURN);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }

  /**
   * Marks a pooled buffer as such, and says of another whether it needs a release: {@code return
   * !doNotFree}, or {@code return false} where nothing is freed by one.
   */
  private void addAnswer(ClassVisitor cv, String name) {
    String method = this == POOLED ? IS_POOLED : NEEDS_RELEASE;
    MethodVisitor mv = cv.visitMethod(ACC_PUBLIC | ACC_SYNTHETIC, method, "()Z", null, null);
    mv.visitCode();
    mv.visitInsn(this == UNPOOLED_DIRECT || this == POOLED ? ICONST_1 : ICONST_0);
    if (this == UNPOOLED_DIRECT) {
      mv.visitVarInsn(ALOAD, 0);
      mv.visitFieldInsn(GETFIELD, name, "doNotFree", "Z");
      mv.visitInsn(ISUB);
    }
    mv.visitInsn(IRETURN);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }

  private String added() {
    switch (this) {
      case COMPONENT:
        return "buftrail$source";
      case DERIVED:
        return "buftrail$parent";
      case COMPOSITE:
      case FIXED_COMPOSITE:
        return "buftrail$components";
      case UNPOOLED_HEAP:
      case READ_ONLY:
      case UNPOOLED_DIRECT:
        return NEEDS_RELEASE;
      case POOLED:
        return IS_POOLED;
      default:
        return "buftrail$owner";
    }
  }
}
