package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * A row of the table of reporting calls and their methods: where they are declared, which they are,
 * the kind of call, and the method of {@link Buffers} that is called.
 *
 * <p>Nearly every insertion is one static call without a branch or a local variable, so the frames
 * of the class file stay as they are. Immutable.
 */
final class InsertionPoint {
  private static final String ANY = "*";

  /** The first row that fits a method is its own. */
  private static final List<InsertionPoint> ROWS =
      List.of(
          row(Place.COMPOSITE, ANY, How.JOINING, ""),
          row(Place.COMPONENT, "free", How.ENTERED, "componentRemoved"),
          row(Place.DERIVED, "init", How.RETURNED, "derived"),
          row(Place.COUNTING, "handleRelease(Z)", How.RELEASING, ""),
          row(Place.COUNTING, "retain()", How.RETAINING, "retained"),
          row(Place.COUNTING, "retain(I)", How.RETAINING, "retained"),
          row(Place.COUNTING, "release()", How.RELEASED_TWICE, ""),
          row(Place.COUNTING, "release(I)", How.RELEASED_TWICE, ""),
          row(Place.NOTICING_MISUSE, ANY, How.THROWING, ""),
          row(Place.UNPOOLED, "unreleasableBuffer", How.ENTERED, "markedUnreleasable"),
          row(Place.POOL, "<init>", How.MADE, "poolMade"),
          // Asked for so often that a heap buffer should not be asked first whether it is direct.
          row(Place.UNPOOLED_MAKER, "buffer", How.BORN, "createdOnHeap"),
          row(Place.UNPOOLED_MAKER, ANY, How.BORN, "created"),
          row(Place.UTILITIES, "threadLocalDirectBuffer", How.BORN, "created"),
          row(Place.ALLOCATOR, "buffer", Buffers.HEAP, "returnedByAllocator"),
          row(Place.ALLOCATOR, "ioBuffer", Buffers.HEAP, "returnedByAllocator"),
          row(Place.ALLOCATOR, "heapBuffer", Buffers.HEAP, "returnedByAllocator"),
          row(Place.ALLOCATOR, "directBuffer", Buffers.HEAP, "returnedByAllocator"),
          row(Place.ALLOCATOR, "compositeBuffer", Buffers.HEAP, "returnedByAllocator"),
          row(Place.ALLOCATOR, "compositeHeapBuffer", Buffers.HEAP, "returnedByAllocator"),
          row(
              Place.ALLOCATOR,
              "compositeDirectBuffer",
              Buffers.COMPOSITE_DIRECT,
              "returnedByAllocator"),
          row(Place.ANY_THAT_GIVES, "capacity(I)", How.RETURNED, "resized"),
          row(Place.ANY_THAT_GIVES, "newHeapBuffer(II)", Buffers.HEAP, "allocated"),
          row(Place.ANY_THAT_GIVES, "newDirectBuffer(II)", Buffers.DIRECT, "allocated"),
          row(Place.ANY_THAT_GIVES, "compositeHeapBuffer(I)", Buffers.COMPOSITE_HEAP, "allocated"),
          row(
              Place.ANY_THAT_GIVES,
              "compositeDirectBuffer(I)",
              Buffers.COMPOSITE_DIRECT,
              "allocated"));

  private final Place place;
  private final String method;
  private final How how;
  private final String event;
  private final int kind;

  /** Where methods are declared. */
  private enum Place {
    /** A composite, methods of the object. */
    COMPOSITE(Set.of("CompositeByteBuf")),
    COMPONENT(Set.of("CompositeByteBuf$Component")),
    DERIVED(Set.of("AbstractPooledDerivedByteBuf")),
    /** The class that has the count. */
    COUNTING(Set.of("AbstractReferenceCountedByteBuf")),
    /** A class that throws when a buffer is used after its end. */
    NOTICING_MISUSE(MisuseVisitors.NOTICING),
    UNPOOLED(Set.of("Unpooled")),
    /** An allocator that keeps chunks. */
    POOL(Set.of("PooledByteBufAllocator", "AdaptivePoolingAllocator")),
    /** Public methods there that return a buffer. */
    UNPOOLED_MAKER(UNPOOLED.classes),
    UTILITIES(Set.of("ByteBufUtil")),
    /** An allocator of somebody else's, methods of the object that give a buffer. */
    ALLOCATOR(Set.of()),
    /** Any class that is woven, methods of the object that give a buffer. */
    ANY_THAT_GIVES(Set.of());

    /** Simple names of the classes in Netty's buffer package; none where any may be it. */
    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> classes;

    Place(Set<String> classes) {
      this.classes = classes;
    }
  }

  /** The kind of call that reports it. */
  private enum How {
    ENTERED,
    MADE,
    RETURNED,
    BORN,
    ALLOCATED,
    JOINING,
    RETAINING,
    RELEASING,
    RELEASED_TWICE,
    THROWING
  }

  private InsertionPoint(Place place, String method, How how, String event, int kind) {
    this.place = place;
    this.method = method;
    this.how = how;
    this.event = event;
    this.kind = kind;
  }

  /**
   * @param method its name, with or without the descriptors of its parameters
   */
  private static InsertionPoint row(Place place, String method, How how, String event) {
    return new InsertionPoint(place, method, how, event, 0);
  }

  /** Makes the row of a method that returns a buffer of a kind of memory. */
  private static InsertionPoint row(Place place, String method, int kind, String event) {
    return new InsertionPoint(place, method, How.ALLOCATED, event, kind);
  }

  /**
   * Whether a class that is loaded already may have a method of the table.
   *
   * @param owner internal name of the class
   * @param strings those of its constant pool, names of methods among them
   */
  static boolean mayBeIn(String owner, Set<String> strings) {
    String simpleOwner = NettyNames.isInBufferPackage(owner) ? Names.simple(owner) : "";
    // Netty's own interface of allocators has their names and none of their code.
    boolean mayAllocate = !NettyNames.isAllocator(owner);
    for (InsertionPoint row : ROWS) {
      if (row.place.classes.contains(simpleOwner)
          || (mayAllocate && row.isDirect() && strings.contains(row.name()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the row is one of direct memory, which each allocator has beside that of the heap. */
  private boolean isDirect() {
    return how == How.ALLOCATED && (kind == Buffers.DIRECT || kind == Buffers.COMPOSITE_DIRECT);
  }

  private String name() {
    int parameters = method.indexOf('(');
    return parameters < 0 ? method : method.substring(0, parameters);
  }

  /** The visitor for a method: the next one if nothing is reported there. */
  static MethodVisitor visitor(MethodVisitor next, Method method) {
    for (InsertionPoint row : ROWS) {
      if (method.is(row.method) && method.isIn(row.place)) {
        return row.before(next, method);
      }
    }
    return next;
  }

  private MethodVisitor before(MethodVisitor next, Method at) {
    switch (how) {
      case ENTERED:
        return CallInserter.entered(next, event);
      case MADE:
        return CallInserter.made(next, event);
      case RETURNED:
        return CallInserter.returned(next, event);
      case BORN:
        return CallInserter.born(next, event, at.site());
      case ALLOCATED:
        return CallInserter.allocated(next, event, kind);
      case JOINING:
        return new JoiningVisitor(next, at.name.equals("addFlattenedComponents"));
      case RETAINING:
        return CallInserter.returned(at.watched(next, Misuse.Kind.RETAIN_AFTER_RELEASE), event);
      case RELEASING:
        return new ReleaseVisitor(next, at.owner);
      case RELEASED_TWICE:
        return at.watched(next, Misuse.Kind.DOUBLE_RELEASE);
      case THROWING:
        return MisuseVisitors.beforeThrow(next);
    }
    throw new IllegalStateException(how.name());
  }

  /** A method with code, and the class that declares it. */
  static final class Method {
    private final String owner;
    private final String simpleOwner;
    private final boolean ofAllocator;
    private final int access;
    private final String name;
    private final String descriptor;

    /**
     * @param owner internal name of the class
     * @param ofAllocator whether that is an allocator of somebody else's
     */
    Method(String owner, boolean ofAllocator, int access, String name, String descriptor) {
      this.owner = owner;
      this.simpleOwner = Names.simple(owner);
      this.ofAllocator = ofAllocator;
      this.access = access;
      this.name = name;
      this.descriptor = descriptor;
    }

    private boolean is(String method) {
      return method.equals(ANY)
          || (method.startsWith(name)
              && (method.length() == name.length()
                  || method.equals(name + descriptor.substring(0, descriptor.indexOf(')') + 1))));
    }

    private boolean isIn(Place place) {
      boolean isStatic = (access & ACC_STATIC) != 0;
      switch (place) {
        case COMPOSITE:
          return isOf(place) && !isStatic;
        case COMPONENT:
        case DERIVED:
        case UNPOOLED:
        case POOL:
          return isOf(place);
        case COUNTING:
        case UTILITIES:
          return place.classes.contains(simpleOwner);
        case NOTICING_MISUSE:
          return MisuseVisitors.mayThrow(simpleOwner, name);
        case UNPOOLED_MAKER:
          return isIn(Place.UNPOOLED)
              && (access & ACC_PUBLIC) != 0
              && (access & ACC_SYNTHETIC) == 0
              && givesBuffer();
        case ALLOCATOR:
          return ofAllocator && !isStatic && givesBuffer();
        case ANY_THAT_GIVES:
          return !isStatic && givesBuffer();
      }
      throw new IllegalStateException(place.name());
    }

    private boolean isOf(Place place) {
      return place.classes.contains(simpleOwner) && NettyNames.isInBufferPackage(owner);
    }

    private boolean givesBuffer() {
      Type type = Type.getReturnType(descriptor);
      return type.getSort() == Type.OBJECT && NettyNames.isBuffer(type.getInternalName());
    }

    private int site() {
      return Sites.intern(new Site(Names.binary(owner), name, "", 0, ""));
    }

    private MethodVisitor watched(MethodVisitor next, Misuse.Kind kind) {
      return MisuseVisitors.aroundBody(next, owner, descriptor, kind);
    }
  }
}
