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
  private final Class<?> holder;
  private final HeldBufferGetters fields;
  private final MethodHandle refCnt;
  private final MethodHandle capacity;
  private final MethodHandle isDirect;
  private final Class<?> direct;
  private final Class<?> composite;
  private final Class<?> fixedComposite;
  private final List<Class<?>> dropped;

  /** Null where there is no such field: then every one is believed to need a release. */
  private final @Nullable MethodHandle doNotFree;

  private final @Nullable MethodHandle components;
  private final @Nullable MethodHandle fixedComponents;

  /** Of a component, the buffer as it was added. */
  private final @Nullable MethodHandle source;

  /** Of a slice with a count of its own. */
  private final @Nullable MethodHandle parent;

  /**
   * @param buffer the loaded class {@code ByteBuf}
   * @param open opens the package of a class to this one
   * @throws ReflectiveOperationException when it is not as every Netty 4 has it
   */
  NettyBufferAccess(Class<?> buffer, Consumer<Class<?>> open) throws ReflectiveOperationException {
    this.buffer = buffer;
    counting = sibling("AbstractReferenceCountedByteBuf");
    wrappedComposite = sibling("WrappedCompositeByteBuf");
    holder = sibling("ByteBufHolder");
    fields = new HeldBufferGetters(buffer, open);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType number = MethodType.methodType(int.class);
    refCnt = lookup.findVirtual(buffer, "refCnt", number);
    capacity = lookup.findVirtual(buffer, "capacity", number);
    isDirect = lookup.findVirtual(buffer, "isDirect", MethodType.methodType(boolean.class));
    direct = sibling("UnpooledDirectByteBuf");
    open.accept(direct);
    composite = sibling("CompositeByteBuf");
    fixedComposite = sibling("FixedCompositeByteBuf");
    doNotFree = getter("UnpooledDirectByteBuf", "doNotFree");
    components = getter("CompositeByteBuf", "components");
    fixedComponents = getter("FixedCompositeByteBuf", "buffers");
    source = getter("CompositeByteBuf$Component", "srcBuf");
    parent = getter("AbstractPooledDerivedByteBuf", "parent");
    // A composite needs a release if a component does, which has a flow of its own.
    dropped =
        List.of(
            sibling("UnpooledHeapByteBuf"),
            sibling("ReadOnlyByteBufferBuf"),
            composite,
            fixedComposite);
  }

  /** Null where a shaded Netty was made smaller, or has no such field. */
  private @Nullable MethodHandle getter(String simpleName, String field) {
    try {
      Class<?> declaring = sibling(simpleName);
      return MethodHandles.privateLookupIn(declaring, MethodHandles.lookup())
          .unreflectGetter(declaring.getDeclaredField(field));
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
    return buffer.isAssignableFrom(c)
        || holder.isAssignableFrom(c)
        || (source != null && source.type().parameterType(0) == c)
        || fields.isFrameworks(c);
  }

  @Override
  public @Nullable Object owner(Object object) {
    @Nullable Object at = object;
    for (int i = 0; i < MAX_WRAPS && at != null && buffer.isInstance(at); i++) {
      if (counting.isInstance(at) && !wrappedComposite.isInstance(at)) {
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
  public boolean isComposite(Object owner) {
    return composite.isInstance(owner) || fixedComposite.isInstance(owner);
  }

  @Override
  public @Nullable Object[] components(Object owner) {
    Object made = read(fixedComposite.isInstance(owner) ? fixedComponents : components, owner);
    @Nullable Object[] parts = made == null ? new Object[0] : (Object[]) made;
    @Nullable Object[] sources = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      Object part = parts[i];
      sources[i] = part == null ? null : source(part);
    }
    return sources;
  }

  @Override
  public @Nullable Object source(Object part) {
    Object added = read(source, part);
    return owner(added == null ? part : added);
  }

  @Override
  public @Nullable Object parent(Object owner) {
    Object kept = read(parent, owner);
    return kept == null ? null : owner(kept);
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

  /** Reads a field of an object; null if its class has no such field. */
  private static @Nullable Object read(@Nullable MethodHandle getter, Object object) {
    boolean has = getter != null && getter.type().parameterType(0).isInstance(object);
    return getter == null || !has ? null : invoke(getter, object);
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
