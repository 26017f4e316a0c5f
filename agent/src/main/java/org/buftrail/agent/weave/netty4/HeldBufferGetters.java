package org.buftrail.agent.weave.netty4;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields in which classes that were loaded before the agent keep what they hold or view.
 *
 * <p>Only fields that Netty declares: of other classes it is not known, without their byte code,
 * which field it is, and to ask for all of them would load classes. A getter belongs to the class
 * that it is for, and lives no longer. Thread-safe.
 */
final class HeldBufferGetters {
  /** Of holders; what is read is looked at, so a field of another kind does no harm. */
  private static final List<String> HELD =
      List.of("content", "data", "byteBuf", "message", "payload", "wrapped");

  /** Of views. What has the count comes first. */
  private static final List<String> VIEWED =
      List.of("referenceCountDelegate", "buf", "buffer", "wrapped");

  private final ClassValue<Boolean> frameworks =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (FrameworkHolders.field(at.getName().replace('.', '/')) != null) {
              return true;
            }
          }
          return false;
        }
      };

  private final ClassValue<MethodHandle> held;
  private final ClassValue<MethodHandle> viewed;

  /**
   * @param buffer the loaded class {@code ByteBuf}
   * @param open opens all packages of a named module to this one
   */
  HeldBufferGetters(Class<?> buffer, Consumer<Class<?>> open) {
    held = new Getters(HELD, null, open);
    viewed = new Getters(VIEWED, buffer, open);
  }

  /** Whether a class, or one that it extends, is a framework's wrapper of a buffer. */
  boolean isFrameworks(Class<?> c) {
    return frameworks.get(c);
  }

  /** Reads a holder's field; may return null. */
  @Nullable Object held(Object holder) {
    return NettyBufferAccess.invoke(held.get(holder.getClass()), holder);
  }

  /** Reads a view's field; may return null. */
  @Nullable Object viewed(Object view) {
    return NettyBufferAccess.invoke(viewed.get(view.getClass()), view);
  }

  private static final class Getters extends ClassValue<MethodHandle> {
    private final List<String> names;

    /** The type that the one such field of a class that is not Netty's may have; null for none. */
    private final @Nullable Class<?> ofOthers;

    private final Consumer<Class<?>> open;

    Getters(List<String> names, @Nullable Class<?> ofOthers, Consumer<Class<?>> open) {
      this.names = names;
      this.ofOthers = ofOthers;
      this.open = open;
    }

    @Override
    protected MethodHandle computeValue(Class<?> type) {
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        Field field = declared(at);
        if (field != null) {
          return getter(at, field);
        }
      }
      return nothing(type);
    }

    private @Nullable Field declared(Class<?> c) {
      String className = c.getName().replace('.', '/');
      String frameworks = FrameworkHolders.field(className);
      if (frameworks == null && !NettyNames.isNetty(className)) {
        return ofOthers == null ? null : onlyOne(c, ofOthers);
      }
      for (String name : frameworks == null ? names : List.of(frameworks)) {
        try {
          return c.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
          // The next one.
        } catch (LinkageError e) {
          return null;
        }
      }
      return null;
    }

    private static @Nullable Field onlyOne(Class<?> c, Class<?> type) {
      Field found = null;
      try {
        for (Field field : c.getDeclaredFields()) {
          if (type.isAssignableFrom(field.getType()) && !Modifier.isStatic(field.getModifiers())) {
            if (found != null) {
              return null;
            }
            found = field;
          }
        }
      } catch (LinkageError e) {
        return null;
      }
      return found;
    }

    private MethodHandle getter(Class<?> declaring, Field field) {
      try {
        open.accept(declaring);
        return MethodHandles.privateLookupIn(declaring, MethodHandles.lookup())
            .unreflectGetter(field);
      } catch (IllegalAccessException e) {
        return nothing(declaring);
      }
    }

    private static MethodHandle nothing(Class<?> type) {
      return MethodHandles.dropArguments(MethodHandles.constant(Object.class, null), 0, type);
    }
  }
}
