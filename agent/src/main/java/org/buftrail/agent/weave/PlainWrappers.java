package org.buftrail.agent.weave;

import static org.objectweb.asm.Opcodes.ACC_INTERFACE;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.PerLoader;
import org.buftrail.agent.weave.classfile.SoleField;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Classes of the application that wrap one buffer, or one message that holds one, without saying
 * so: their only such field is assigned by constructors alone. Interfaces by which an application
 * sees its wrappers are known by a method without parameters that gives the buffer.
 *
 * <p>Handlers and collections are none: what they have changes, or is one of many. Answers come
 * from class files, since a method that takes a wrapper is woven before the wrapper loads. They are
 * kept by class loader and go with it. Thread-safe.
 */
final class PlainWrappers {
  private static final int MAX_KEPT = 20_000;

  private final BufferLibrary library;
  private final Ancestry carriers;
  private final Ancestry excluded;

  /** Whether a class may be the application's, by its internal name. */
  private final Predicate<String> isOwn;

  private final PerLoader<Map<String, Boolean>> known = new PerLoader<>(ConcurrentHashMap::new);

  /** Whether a class wraps a buffer without another wrapper between. */
  private final PerLoader<Map<String, Boolean>> inner = new PerLoader<>(ConcurrentHashMap::new);

  PlainWrappers(BufferLibrary library, Ancestry carriers, Predicate<String> isOwn) {
    this.library = library;
    this.carriers = carriers;
    this.isOwn = isOwn;
    this.excluded =
        Ancestry.ofNamed(
            name ->
                name.equals("java/util/Collection")
                    || name.equals("java/util/Map")
                    || name.equals("java/util/Iterator")
                    || library.isHandler(name));
  }

  /** Whether values of a type may wrap a buffer, and the type is the application's. */
  boolean includes(@Nullable ClassLoader loader, String name) {
    if (Names.isOfJdk(name) || library.isOwn(name) || !isOwn.test(name)) {
      return false;
    }
    Map<String, Boolean> answers = known.get(loader);
    Boolean kept = answers.get(name);
    if (kept != null) {
      return kept;
    }
    if (carriers.includes(loader, name) || !carriers.excludes(loader, name)) {
      // A class that was not found is looked for again a while later, as carriers are.
      return false;
    }
    byte[] classFile = Supertypes.file(loader, name + ".class");
    return classFile != null && look(loader, name, classFile);
  }

  /**
   * Looks at a class of the application, before it loads.
   *
   * @return whether its objects wrap a buffer
   */
  boolean look(@Nullable ClassLoader loader, String name, byte[] classFile) {
    Map<String, Boolean> answers = known.get(loader);
    Boolean kept = answers.get(name);
    if (kept == null) {
      kept = wraps(loader, name, classFile, true);
      if (answers.size() < MAX_KEPT) {
        answers.put(name, kept);
      }
    }
    return kept;
  }

  private boolean wraps(
      @Nullable ClassLoader loader, String name, byte[] classFile, boolean alsoOthers) {
    ClassHead head = new ClassHead(classFile);
    if (carriers.includes(loader, head) || excluded.includes(loader, head)) {
      return false;
    }
    if (head.isAny(ACC_INTERFACE)) {
      return gives(loader, head);
    }
    SoleField field = SoleField.of(head, classFile, type -> holds(loader, type, alsoOthers));
    if (field != null) {
      library.noteWrapper(name, field.name());
    }
    return field != null;
  }

  /** Whether a field of a type holds a buffer: itself, in a message, or in another wrapper. */
  private boolean holds(@Nullable ClassLoader loader, String type, boolean alsoOthers) {
    if (Names.isOfJdk(type)) {
      return false;
    }
    if (library.isOwn(type) || library.isFrameworks(type)) {
      return carriers.includes(loader, type);
    }
    if (!alsoOthers || !isOwn.test(type)) {
      return false;
    }
    if (carriers.includes(loader, type)) {
      return true;
    }
    Map<String, Boolean> answers = inner.get(loader);
    Boolean kept = answers.get(type);
    if (kept == null) {
      byte[] classFile = Supertypes.file(loader, type + ".class");
      if (classFile == null) {
        return false;
      }
      kept = wraps(loader, type, classFile, false);
      if (answers.size() < MAX_KEPT) {
        answers.put(type, kept);
      }
    }
    return kept;
  }

  private boolean gives(@Nullable ClassLoader loader, ClassHead head) {
    for (ClassHead.Declared method : head.methods()) {
      if (method.descriptor.startsWith("()L")
          && carriers.includes(loader, Type.getReturnType(method.descriptor).getInternalName())) {
        return true;
      }
    }
    return false;
  }
}
