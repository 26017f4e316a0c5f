package org.buftrail.agent.weave.netty4;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a composite is made of from its fields, of a Netty that was loaded before the agent.
 * Calls none of its methods. Thread-safe as far as its fields are.
 */
final class CompositeGetters {
  /** Fields of a component. The first has the buffer as it was added. */
  private static final List<String> BUFFERS = List.of("srcBuf", "buf");

  private final Class<?> composite;

  /** An array or, up to 4.1.32, a list. Null where there is none of them. */
  private final @Nullable MethodHandle components;

  private final @Nullable MethodHandle buffer;

  /**
   * @param composite the loaded class {@code CompositeByteBuf}, in a package that is open to this
   */
  CompositeGetters(Class<?> composite) {
    this.composite = composite;
    components = getter(composite, List.of("components"));
    buffer = component(composite);
  }

  private static @Nullable MethodHandle component(Class<?> composite) {
    try {
      String name = composite.getName() + "$Component";
      return getter(Class.forName(name, false, composite.getClassLoader()), BUFFERS);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle getter(Class<?> declaring, List<String> names) {
    for (String name : names) {
      try {
        return MethodHandles.privateLookupIn(declaring, MethodHandles.lookup())
            .unreflectGetter(declaring.getDeclaredField(name))
            .asType(MethodType.methodType(Object.class, Object.class));
      } catch (ReflectiveOperationException e) {
        // The next one.
      }
    }
    return null;
  }

  /** The buffers of a composite, unused places null; null for any other object. */
  @Nullable Object @Nullable [] components(Object owner) {
    MethodHandle all = components;
    MethodHandle each = buffer;
    if (all == null || each == null || !composite.isInstance(owner)) {
      return null;
    }
    Object held = NettyBufferAccess.invoke(all, owner);
    Object[] parts =
        held instanceof Object[]
            ? (Object[]) held
            : held instanceof List ? ((List<?>) held).toArray() : new Object[0];
    @Nullable Object[] buffers = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      buffers[i] = parts[i] == null ? null : NettyBufferAccess.invoke(each, parts[i]);
    }
    return buffers;
  }
}
