package org.buftrail.agent.weave.hops;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.CountCall;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Decides by their types which parameters and results may carry a buffer or a resource. One class
 * at a time.
 */
public final class TrackedTypes {
  /** A class that names classes of gRPC may get messages as streams. */
  public static final String STREAMS = "io/grpc/";

  private static final byte[] STREAMS_BYTES = STREAMS.getBytes(StandardCharsets.UTF_8);
  private static final String STREAM = "java/io/InputStream";

  private final BufferLibrary library;
  private final Ancestry carriers;
  private final Ancestry buffers;

  private final OwnWrappers wrappers;

  private final List<ResourceRule> resources;
  private final @Nullable ClassLoader loader;
  private final BooleanSupplier streams;

  /** What that said, once it was asked. */
  private @Nullable Boolean areStreams;

  /**
   * @param wrappers whether a type that is no carrier by what it extends is one by its field
   * @param streams whether a stream may hold a buffer in the methods of this class; asked where
   *     there is one
   */
  public TrackedTypes(
      BufferLibrary library,
      Ancestry carriers,
      Ancestry buffers,
      OwnWrappers wrappers,
      List<ResourceRule> resources,
      @Nullable ClassLoader loader,
      BooleanSupplier streams) {
    this.library = library;
    this.carriers = carriers;
    this.buffers = buffers;
    this.wrappers = wrappers;
    this.resources = resources;
    this.loader = loader;
    this.streams = streams;
  }

  /** Whether a stream may hold a buffer in the methods of a class. */
  public static boolean mayBeStreams(byte[] classFile) {
    return ByteSearch.contains(classFile, STREAMS_BYTES);
  }

  /** Whether a value of this type is a resource of one of the rules, or may be the library's. */
  boolean isResource(Type type) {
    if (isOfLibrary(type)) {
      return true;
    }
    for (ResourceRule rule : resources) {
      if (rule.includes(loader, type)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOfLibrary(Type type) {
    return type.getSort() == Type.OBJECT && library.isResource(type.getInternalName());
  }

  /**
   * Whether a value of this type may be or hold a buffer.
   *
   * @param handles whether it is a parameter or result of a channel handler's method, where a
   *     message may have any type
   */
  boolean carries(Type type, boolean handles) {
    if (type.getSort() != Type.OBJECT || isOfLibrary(type)) {
      return false;
    }
    String name = type.getInternalName();
    if (handles
        && (name.equals("java/lang/Object")
            || (!name.startsWith("java/") && !library.isOfChannels(name)))) {
      return true;
    }
    return name.equals(STREAM) ? areStreams() : isCarrier(name);
  }

  /** Whether a type is a wrapper that no library knows, whose constructors are hops. */
  boolean isWrapper(String name) {
    return wrappers.includes(name);
  }

  /** Notes that a method gives a buffer to an object of the application. */
  void noteGiven(String type, String method) {
    wrappers.noteGiven(type, method);
  }

  private boolean isCarrier(String name) {
    return carriers.includes(loader, name) || isWrapper(name);
  }

  private boolean areStreams() {
    Boolean known = areStreams;
    if (known == null) {
      known = streams.getAsBoolean();
      areStreams = known;
    }
    return known;
  }

  /** Whether a method is one that every holder has. */
  boolean isOfHolders(String method) {
    return library.isOfHolders(method);
  }

  boolean takesContext(String descriptor) {
    for (Type type : Type.getArgumentTypes(descriptor)) {
      if (type.getSort() == Type.OBJECT && library.isContext(type.getInternalName())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a method may have to do with a buffer, or be that of a channel handler.
   *
   * @param descriptor of the method, or any other string
   */
  public boolean mayCarry(String descriptor) {
    try {
      boolean handles = takesContext(descriptor);
      for (Type type : Type.getArgumentTypes(descriptor)) {
        if (carries(type, handles) || isOfLibrary(type)) {
          return true;
        }
      }
      Type result = Type.getReturnType(descriptor);
      return carries(result, handles) || isOfLibrary(result);
    } catch (RuntimeException e) {
      // No descriptor after all.
      return false;
    }
  }

  /**
   * Which descriptors of methods, declared or called, may have to do with a buffer or a resource;
   * null when there are none, and so nothing to weave. Judged by the constant pool alone.
   *
   * @param makesResources whether it may construct a resource, which no descriptor says
   * @param others types of the same loader that are known not to carry anything, nor to be handed
   *     to handlers
   */
  public boolean @Nullable [] carrying(ClassHead head, boolean makesResources, KnownNames others) {
    return head.descriptors(
        makesResources || !resources.isEmpty()
            ? null
            : (file, from, to, hash, descriptor) ->
                !others.contains(file, from, to, hash)
                    && mayHop(file, from, to, hash, head, descriptor, others));
  }

  private boolean mayHop(
      byte[] file, int from, int to, int hash, ClassHead head, int descriptor, KnownNames others) {
    String name = ClassHead.text(file, from, to);
    if (name.equals(STREAM)) {
      return areStreams();
    }
    if (library.isResource(name)) {
      return true;
    }
    if (!name.startsWith("java/")) {
      if (isCarrier(name)) {
        return true;
      }
      if (library.isContext(name)) {
        return mayCarry(head.text(descriptor));
      }
      // One that is not found yet may turn out to be a carrier, and a package to be Netty's.
      if (!carriers.excludes(loader, name) || name.contains("netty/")) {
        return false;
      }
    }
    others.add(file, from, to, hash);
    return false;
  }

  /** Whether a call may give a buffer that nobody has seen yet. */
  boolean mayReturnNewBuffer(String owner, String method, String descriptor) {
    Type type = Type.getReturnType(descriptor);
    if (type.getSort() == Type.OBJECT && library.isFrameworks(type.getInternalName())) {
      return !carriers.includes(loader, owner);
    }
    if (type.getSort() != Type.OBJECT) {
      return false;
    }
    if (!isBuffer(type.getInternalName())) {
      // A copy of a message has a new buffer; other such methods return the message itself, for a
      // chain of calls.
      return carriers.includes(loader, type.getInternalName())
          && (method.equals("copy") || !carriers.includes(loader, owner));
    }
    return !isBuffer(owner) || library.givesAnother(method, descriptor);
  }

  /**
   * The change of a reference count that a call makes; null where it makes none that is known.
   *
   * @param opcode of the call
   */
  @Nullable CountCall countCall(int opcode, String owner, String method, String descriptor) {
    CountCall call = CountCall.of(opcode, owner, method, descriptor);
    boolean counts =
        call != null
            && (carriers.includes(loader, call.subject)
                || (opcode == Opcodes.INVOKESTATIC && library.isCounter(owner)));
    return counts ? call : null;
  }

  /**
   * Whether a call only reads the buffers it gets, as far as is known of the library, the JDK, and
   * accessors of wrappers.
   *
   * @param arguments which may be buffers; if none may, it is called on one
   */
  boolean onlyReads(
      int opcode, String owner, String method, String descriptor, boolean[] arguments) {
    boolean given = false;
    for (boolean argument : arguments) {
      given |= argument;
    }
    return countCall(opcode, owner, method, descriptor) == null
        && (library.onlyReads(owner, method, descriptor, given)
            || PlainCalls.onlyRead(owner, method)
            || (!given && isAccessor(owner, method, descriptor)));
  }

  /** Whether a method of the application's wrapper gives what is in it, or a fact about that. */
  private boolean isAccessor(String owner, String method, String descriptor) {
    return descriptor.startsWith("()")
        && isWrapper(owner)
        && (carries(Type.getReturnType(descriptor), false)
            || method.startsWith("get")
            || method.startsWith("is"));
  }

  /** Whether methods of a class may change a reference count. */
  public boolean mayCount(ClassHead head) {
    return head.anyCountCall(
        (owner, method, descriptor) ->
            countCall(Opcodes.INVOKEVIRTUAL, owner, method, descriptor) != null
                || countCall(Opcodes.INVOKESTATIC, owner, method, descriptor) != null);
  }

  /** Like the check of a class file, given only the strings of its constant pool. */
  public boolean mayCount(Set<String> strings) {
    if (strings.stream().noneMatch(CountCall::isName)) {
      return false;
    }
    return strings.stream()
        .filter(each -> each.indexOf('/') > 0 && each.indexOf('(') < 0 && each.indexOf(';') < 0)
        .anyMatch(each -> library.isCounter(each) || carriers.includes(loader, each));
  }

  /** Whether methods of a class may take a buffer out of what keeps objects. */
  public boolean mayTake(ClassHead head) {
    return head.anyCallForObject(TakingCalls::isName) && head.anyClass(this::mayBeTaken);
  }

  /** Like the check of a class file, given only the strings of its constant pool. */
  public boolean mayTake(Set<String> strings) {
    return strings.stream().anyMatch(TakingCalls::isName)
        && strings.stream()
            .anyMatch(
                each ->
                    each.indexOf('/') > 0
                        && each.indexOf('(') < 0
                        && each.indexOf(';') < 0
                        && mayBeTaken(each));
  }

  private boolean mayBeTaken(String type) {
    return carries(Type.getObjectType(type), false);
  }

  /** Whether a call of a method or constructor may give back a buffer or a resource. */
  public boolean mayGiveBack(String owner, String method, String descriptor) {
    if (method.equals("<init>")) {
      return isWrapper(owner);
    }
    Type result = Type.getReturnType(descriptor);
    return carries(result, false) || isResource(result);
  }

  /** Whether a call may give a buffer that nobody has seen yet, or a resource. */
  public boolean mayGive(String owner, String method, String descriptor) {
    return mayReturnNewBuffer(owner, method, descriptor)
        || isResource(
            method.equals("<init>") ? Type.getObjectType(owner) : Type.getReturnType(descriptor));
  }

  /**
   * Which argument of a call may give a buffer to what is called, or -1. What holds a buffer does
   * nothing else with the one it is made of, and buffers and what counts them do not keep any.
   */
  public int taken(String owner, String method, String descriptor) {
    if (owner.startsWith("java/")
        || library.isOfBuffers(owner)
        || library.readsCounts(owner)
        || isBuffer(owner)
        || isOfHolders(method)
        || (method.equals("<init>") && isCarrier(owner))) {
      return -1;
    }
    Type[] types = Type.getArgumentTypes(descriptor);
    for (int i = 0; i < types.length; i++) {
      if (carries(types[i], false)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a type is the library's buffer, or one that the application has derived from it. */
  public boolean isBuffer(String internalName) {
    return library.isOwn(internalName)
        ? library.isBuffer(internalName)
        : buffers.includes(loader, internalName);
  }
}
