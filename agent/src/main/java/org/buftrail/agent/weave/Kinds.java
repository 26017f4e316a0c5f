package org.buftrail.agent.weave;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.PerLoader;
import org.buftrail.agent.weave.classfile.TypeVariables;
import org.buftrail.agent.weave.hops.KnownNames;
import org.buftrail.agent.weave.hops.OwnWrappers;
import org.buftrail.agent.weave.hops.TrackedTypes;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.jspecify.annotations.Nullable;

/** Which types are of interest, as far as they were met. Thread-safe. */
final class Kinds {
  final Ancestry carriers;

  /** By which a method may declare what it takes: carriers, and types that are wider. */
  final Ancestry declared;

  final Ancestry buffers;
  final Ancestry allocators;

  /** Types that no hop is for. */
  final PerLoader<KnownNames> uninteresting = new PerLoader<>(KnownNames::new);

  /** Wrappers of the application that are no carriers by their type. */
  final PlainWrappers wrappers;

  private final BufferLibrary library;

  /**
   * @param isOwn whether a class may be the application's, by its internal name
   */
  Kinds(BufferLibrary library, Predicate<String> isOwn) {
    this.library = library;
    carriers = Ancestry.ofNamed(name -> library.isBuffer(name) || library.isHolder(name));
    declared =
        Ancestry.ofNamed(
            name -> library.isBuffer(name) || library.isHolder(name) || library.mayHold(name));
    buffers = Ancestry.ofNamed(library::isBuffer);
    allocators = Ancestry.ofNamed(library::isAllocator);
    wrappers = new PlainWrappers(library, carriers, isOwn);
  }

  /**
   * Returns what decides about the types that a class names.
   *
   * @param streams whether a stream may hold a buffer in its methods
   */
  TrackedTypes types(
      List<ResourceRule> resources, @Nullable ClassLoader loader, BooleanSupplier streams) {
    return new TrackedTypes(library, declared, buffers, of(loader), resources, loader, streams);
  }

  private OwnWrappers of(@Nullable ClassLoader loader) {
    return new OwnWrappers() {
      @Override
      public boolean includes(String type) {
        return wrappers.includes(loader, type);
      }

      @Override
      public void noteGiven(String type, String method) {
        wrappers.noteGiven(loader, type, method);
      }
    };
  }

  /**
   * Whether methods of a loaded class may be or have hops.
   *
   * @param strings those of its constant pool
   */
  boolean mayHop(Class<?> c, Set<String> strings) {
    BooleanSupplier streams =
        () -> strings.stream().anyMatch(each -> each.startsWith(TrackedTypes.STREAMS));
    TrackedTypes types = types(List.of(), c.getClassLoader(), streams);
    for (String string : strings) {
      if (string.startsWith("(") && types.mayCarry(string)) {
        return true;
      }
    }
    return types.mayCount(strings)
        || types.mayTake(strings)
        || strings.stream().anyMatch(TypeVariables::mayBeSignature);
  }
}
