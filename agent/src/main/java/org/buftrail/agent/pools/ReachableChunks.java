package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds chunks by following the references of an allocator, through its own classes and the queues
 * of Netty's. Takes no lock and changes nothing; bounded. Confined to one thread.
 */
final class ReachableChunks {
  private static final int MAX_OBJECTS = 500_000;

  /** In the names of classes that are followed, besides those of the allocator. */
  private static final List<String> FOLLOWED =
      List.of(
          ".util.concurrent.ConcurrentSkipListIntObjMultimap",
          ".util.internal.shaded.org.jctools.");

  private final Class<?> chunks;
  private final String allocator;
  private final Consumer<Class<?>> open;
  private final Map<Class<?>, List<Field>> fields = new HashMap<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> toFollow = new ArrayDeque<>();

  /**
   * @param chunks the class of chunks, which is nested in the allocator's
   * @param open lets the agent read the members of a class
   */
  ReachableChunks(Class<?> chunks, Consumer<Class<?>> open) {
    this.chunks = chunks;
    this.allocator = chunks.getName().substring(0, chunks.getName().lastIndexOf('$'));
    this.open = open;
  }

  /** Follows the references of an object too. */
  void add(@Nullable Object object) {
    if (object != null && seen.size() < MAX_OBJECTS && isFollowed(object) && seen.add(object)) {
      toFollow.add(object);
    }
  }

  private boolean isFollowed(Object object) {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      return !type.getComponentType().isPrimitive();
    }
    String name = type.getName();
    if (name.startsWith(allocator)) {
      return !name.endsWith("ByteBuf");
    }
    for (String part : FOLLOWED) {
      if (name.contains(part)) {
        return true;
      }
    }
    return object instanceof AtomicReferenceArray
        || (object instanceof Iterable && name.startsWith("java.util."));
  }

  /** All chunks that can be reached. */
  List<Object> find() throws ReflectiveOperationException {
    List<Object> found = new ArrayList<>();
    for (Object at = toFollow.poll(); at != null; at = toFollow.poll()) {
      if (chunks.isInstance(at)) {
        found.add(at);
      }
      follow(at);
    }
    return found;
  }

  private void follow(Object at) throws ReflectiveOperationException {
    if (at instanceof Object[]) {
      for (Object element : (Object[]) at) {
        add(element);
      }
    } else if (at instanceof AtomicReferenceArray) {
      AtomicReferenceArray<?> array = (AtomicReferenceArray<?>) at;
      for (int i = 0; i < array.length(); i++) {
        add(array.get(i));
      }
    } else if (at.getClass().getName().startsWith("java.util.")) {
      for (Object element : (Iterable<?>) at) {
        add(element);
      }
    } else {
      for (Field field : fieldsOf(at.getClass())) {
        add(field.get(at));
      }
    }
  }

  private List<Field> fieldsOf(Class<?> type) {
    List<Field> known = fields.get(type);
    if (known == null) {
      known = new ArrayList<>();
      for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
        open.accept(c);
        for (Field field : c.getDeclaredFields()) {
          boolean isReference = !field.getType().isPrimitive();
          if (isReference && !Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
            known.add(field);
          }
        }
      }
      fields.put(type, known);
    }
    return known;
  }
}
