package org.buftrail.agent.weave.netty4;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;

/** Asks the buffers of one loaded Netty through method handles. */
final class NettyBufferAccess extends BufferAccess {
  private static final int MAX_WRAPS = 64;
  private static final int MAX_HOLDERS = 4;

  private final Class<?> buffer;
  private final Class<?> counting;
  private final Class<?> wrappedComposite;

  /** Slices with a count of their own. They have no flow here, and their parent's moves instead. */
  private final @Nullable Class<?> derived;

  private final Class<?> holder;
  private final HeldBufferGetters fields;
  private final CompositeGetters composites;
  private final MethodHandle refCnt;
  private final MethodHandle capacity;
  private final MethodHandle isDirect;
  private final Class<?> direct;
  private final List<Class<?>> dropped;

  /** Null where there is no such field: then every one is believed to need a release. */
  private final @Nullable MethodHandle doNotFree;

  /**
   * @param buffer the loaded class {@code ByteBuf}
   * @param open opens the package of a class to this one
   * @throws ReflectiveOperationException when it is not as every Netty 4 has it
   */
  NettyBufferAccess(Class<?> buffer, Consumer<Class<?>> open) throws ReflectiveOperationException {
    this.buffer = buffer;
    counting = sibling("AbstractReferenceCountedByteBuf");
    wrappedComposite = sibling("WrappedCompositeByteBuf");
    derived = derived();
    holder = sibling("ByteBufHolder");
    fields = new HeldBufferGetters(buffer, open);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType number = MethodType.methodType(int.class);
    refCnt = lookup.findVirtual(buffer, "refCnt", number);
    capacity = lookup.findVirtual(buffer, "capacity", number);
    isDirect = lookup.findVirtual(buffer, "isDirect", MethodType.methodType(boolean.class));
    direct = sibling("UnpooledDirectByteBuf");
    open.accept(direct);
    doNotFree = doNotFree(direct);
    composites = new CompositeGetters(sibling("CompositeByteBuf"));
    // A component of a composite has a flow of its own here.
    dropped =
        List.of(
            sibling("UnpooledHeapByteBuf"),
            sibling("ReadOnlyByteBufferBuf"),
            sibling("CompositeByteBuf"),
            sibling("FixedCompositeByteBuf"));
  }

  /** Null where a shaded Netty was made smaller and nobody used it. */
  private @Nullable Class<?> derived() {
    try {
      return sibling("AbstractPooledDerivedByteBuf");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle doNotFree(Class<?> direct) {
    try {
      return MethodHandles.privateLookupIn(direct, MethodHandles.lookup())
          .findGetter(direct, "doNotFree", boolean.class);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private Class<?> sibling(String simpleName) throws ClassNotFoundException {
    String packageName = buffer.getName().substring(0, buffer.getName().lastIndexOf('.') + 1);
    return Class.forName(packageName + simpleName, false, buffer.getClassLoader());
  }

  @Override
  public Class<?> type() {
    return buffer;
  }

  @Override
  public boolean covers(Class<?> c) {
    return buffer.isAssignableFrom(c) || holder.isAssignableFrom(c) || fields.isFrameworks(c);
  }

  @Override
  public @Nullable Object owner(Object object) {
    @Nullable Object at = object;
    for (int i = 0; i < MAX_WRAPS && at != null && buffer.isInstance(at); i++) {
      boolean countsForAnother =
          wrappedComposite.isInstance(at) || (derived != null && derived.isInstance(at));
      if (counting.isInstance(at) && !countsForAnother) {
        return at;
      }
      at = fields.viewed(at);
    }
    return null;
  }

  @Override
  public @Nullable Object content(Object object) {
    @Nullable Object at = object;
    for (int i = 0; i < MAX_HOLDERS && at != null && isHolder(at); i++) {
      at = fields.held(at);
      if (at instanceof ArrayDeque) {
        at = ((ArrayDeque<?>) at).peek();
      }
    }
    return buffer.isInstance(at) ? at : null;
  }

  private boolean isHolder(Object object) {
    return holder.isInstance(object) || fields.isFrameworks(object.getClass());
  }

  @Override
  public int refCnt(Object owner) {
    return (int) ask(refCnt, owner);
  }

  @Override
  public int capacity(Object owner) {
    return (int) ask(capacity, owner);
  }

  @Override
  public boolean isDirect(Object owner) {
    return (boolean) ask(isDirect, owner);
  }

  @Override
  public @Nullable Object @Nullable [] components(Object owner) {
    return composites.components(owner);
  }

  @Override
  public boolean needsRelease(Object owner) {
    Class<?> type = owner.getClass();
    if (type.getClassLoader() != buffer.getClassLoader()
        || !type.getPackageName().equals(buffer.getPackageName())) {
      return true;
    }
    if (direct.isInstance(owner)) {
      return doNotFree == null || !(boolean) ask(doNotFree, owner);
    }
    return dropped.stream().noneMatch(kind -> kind.isInstance(owner));
  }

  private static Object ask(MethodHandle method, Object receiver) {
    return Objects.requireNonNull(invoke(method, receiver));
  }

  static @Nullable Object invoke(MethodHandle method, Object receiver) {
    try {
      return method.invoke(receiver);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
