package org.buftrail.agent.weave;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.List;
import org.buftrail.flow.Foreign;
import org.jspecify.annotations.Nullable;

/** Asks the buffers of one loaded Netty through method handles. */
final class ForeignBuffers extends Foreign {
  private static final int MAX_WRAPS = 64;

  private final Class<?> buffer;
  private final Class<?> counting;
  private final Class<?> wrappedComposite;
  private final Class<?> holder;
  private final MethodHandle refCnt;
  private final MethodHandle capacity;
  private final MethodHandle isDirect;
  private final MethodHandle unwrap;
  private final MethodHandle holderRefCnt;
  private final MethodHandle content;
  private final Class<?> direct;
  private final List<Class<?>> dropped;

  /** Null where the module does not open it: then every one is believed to need a release. */
  private final @Nullable MethodHandle doNotFree;

  /**
   * @param buffer the loaded class {@code ByteBuf}
   * @throws ReflectiveOperationException when it is not as every Netty 4 has it
   */
  ForeignBuffers(Class<?> buffer) throws ReflectiveOperationException {
    this.buffer = buffer;
    counting = sibling("AbstractReferenceCountedByteBuf");
    wrappedComposite = sibling("WrappedCompositeByteBuf");
    holder = sibling("ByteBufHolder");
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType number = MethodType.methodType(int.class);
    refCnt = lookup.findVirtual(buffer, "refCnt", number);
    capacity = lookup.findVirtual(buffer, "capacity", number);
    isDirect = lookup.findVirtual(buffer, "isDirect", MethodType.methodType(boolean.class));
    unwrap = lookup.findVirtual(buffer, "unwrap", MethodType.methodType(buffer));
    holderRefCnt = lookup.findVirtual(holder, "refCnt", number);
    content = lookup.findVirtual(holder, "content", MethodType.methodType(buffer));
    direct = sibling("UnpooledDirectByteBuf");
    doNotFree = doNotFree(direct);
    // What is in a composite has a flow of its own here.
    dropped =
        List.of(
            sibling("UnpooledHeapByteBuf"),
            sibling("ReadOnlyByteBufferBuf"),
            sibling("CompositeByteBuf"),
            sibling("FixedCompositeByteBuf"));
  }

  private static @Nullable MethodHandle doNotFree(Class<?> direct) {
    try {
      Field field = direct.getDeclaredField("doNotFree");
      return field.trySetAccessible() ? MethodHandles.lookup().unreflectGetter(field) : null;
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private Class<?> sibling(String simpleName) throws ClassNotFoundException {
    String packageName = buffer.getName().substring(0, buffer.getName().lastIndexOf('.') + 1);
    return Class.forName(packageName + simpleName, false, buffer.getClassLoader());
  }

  @Override
  public @Nullable Object owner(Object object) {
    Object at = object;
    for (int i = 0; i < MAX_WRAPS && buffer.isInstance(at); i++) {
      if (counting.isInstance(at) && !wrappedComposite.isInstance(at)) {
        return at;
      }
      at = invoke(unwrap, at);
    }
    return null;
  }

  @Override
  public @Nullable Object content(Object object) {
    return holder.isInstance(object) && (int) invoke(holderRefCnt, object) > 0
        ? invoke(content, object)
        : null;
  }

  @Override
  public int refCnt(Object owner) {
    return (int) invoke(refCnt, owner);
  }

  @Override
  public int capacity(Object owner) {
    return (int) invoke(capacity, owner);
  }

  @Override
  public boolean isDirect(Object owner) {
    return (boolean) invoke(isDirect, owner);
  }

  @Override
  public boolean needsRelease(Object owner) {
    Class<?> type = owner.getClass();
    if (type.getClassLoader() != buffer.getClassLoader()
        || !type.getPackageName().equals(buffer.getPackageName())) {
      return true;
    }
    if (direct.isInstance(owner)) {
      return doNotFree == null || !(boolean) invoke(doNotFree, owner);
    }
    return dropped.stream().noneMatch(kind -> kind.isInstance(owner));
  }

  private static Object invoke(MethodHandle method, Object receiver) {
    try {
      return method.invoke(receiver);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
