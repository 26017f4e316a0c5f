package org.buftrail.agent.weave;

import static org.objectweb.asm.Opcodes.ACC_INTERFACE;

import java.util.List;
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
import org.buftrail.flow.control.UnfollowedWrappers;
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
  private final Ancestry handlers;
  private final Ancestry collections;

  /** Whether a class may be the application's, by its internal name. */
  private final Predicate<String> isOwn;

  private final PerLoader<Map<String, Answer>> known = new PerLoader<>(ConcurrentHashMap::new);

  /** Whether a class wraps a buffer without another wrapper between. */
  private final PerLoader<Map<String, Answer>> inner = new PerLoader<>(ConcurrentHashMap::new);

  /** What is known of a class. */
  private static final class Answer {
    static final Answer WRAPS = new Answer(List.of(), null);
    static final Answer OTHER = new Answer(List.of(), null);

    /** In which a class that does not wrap one buffer keeps some; empty where it keeps none. */
    final List<String> fields;

    /** Why it does not wrap one, where it keeps some. */
    final @Nullable String fault;

    Answer(List<String> fields, @Nullable String fault) {
      this.fields = fields;
      this.fault = fault;
    }
  }

  PlainWrappers(BufferLibrary library, Ancestry carriers, Predicate<String> isOwn) {
    this.library = library;
    this.carriers = carriers;
    this.isOwn = isOwn;
    this.handlers = Ancestry.ofNamed(library::isHandler);
    this.collections =
        Ancestry.ofNamed(
            name ->
                name.equals("java/util/Collection")
                    || name.equals("java/util/Map")
                    || name.equals("java/util/Iterator"));
  }

  /** Whether values of a type may wrap a buffer, and the type is the application's. */
  boolean includes(@Nullable ClassLoader loader, String name) {
    return answer(loader, name) == Answer.WRAPS;
  }

  /**
   * Notes that a method gives a buffer to an object of a class. A report names the class if it is
   * the application's, keeps buffers and does not wrap just one.
   *
   * @param method {@code com.example.Router.decode}
   */
  void noteGiven(@Nullable ClassLoader loader, String name, String method) {
    Answer answer = answer(loader, name);
    if (answer.fault != null) {
      UnfollowedWrappers.add(Names.binary(name), answer.fields, answer.fault, method);
    }
  }

  private Answer answer(@Nullable ClassLoader loader, String name) {
    if (Names.isOfJdk(name) || library.isOwn(name) || !isOwn.test(name)) {
      return Answer.OTHER;
    }
    Answer kept = known.get(loader).get(name);
    if (kept != null) {
      return kept;
    }
    if (carriers.includes(loader, name) || !carriers.excludes(loader, name)) {
      // A class that was not found is looked for again a while later, as carriers are.
      return Answer.OTHER;
    }
    byte[] classFile = Supertypes.file(loader, name + ".class");
    return classFile == null ? Answer.OTHER : answer(loader, name, classFile);
  }

  /**
   * Looks at a class of the application, before it loads.
   *
   * @return whether its objects wrap a buffer
   */
  boolean look(@Nullable ClassLoader loader, String name, byte[] classFile) {
    return answer(loader, name, classFile) == Answer.WRAPS;
  }

  private Answer answer(@Nullable ClassLoader loader, String name, byte[] classFile) {
    Map<String, Answer> answers = known.get(loader);
    Answer kept = answers.get(name);
    if (kept == null) {
      kept = find(loader, name, classFile, true);
      if (answers.size() < MAX_KEPT) {
        answers.put(name, kept);
      }
    }
    return kept;
  }

  private Answer find(
      @Nullable ClassLoader loader, String name, byte[] classFile, boolean alsoOthers) {
    ClassHead head = new ClassHead(classFile);
    if (carriers.includes(loader, head) || handlers.includes(loader, head)) {
      return Answer.OTHER;
    }
    if (head.isAny(ACC_INTERFACE)) {
      return gives(loader, head) && !collections.includes(loader, head)
          ? Answer.WRAPS
          : Answer.OTHER;
    }
    SoleField field = SoleField.of(head, classFile, type -> holds(loader, type, alsoOthers));
    if (field == null) {
      return Answer.OTHER;
    }
    String fault = collections.includes(loader, head) ? "is a collection" : field.fault();
    if (fault != null) {
      return new Answer(field.names(), fault);
    }
    library.noteWrapper(name, field.name());
    return Answer.WRAPS;
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
    Map<String, Answer> answers = inner.get(loader);
    Answer kept = answers.get(type);
    if (kept == null) {
      byte[] classFile = Supertypes.file(loader, type + ".class");
      if (classFile == null) {
        return false;
      }
      kept = find(loader, type, classFile, false);
      if (answers.size() < MAX_KEPT) {
        answers.put(type, kept);
      }
    }
    return kept == Answer.WRAPS;
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
