package org.buftrail.agent.weave.library;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;

/**
 * A library whose buffers are followed: which types are its own, how its classes are woven, and how
 * those are asked that were loaded before.
 *
 * <p>Thread-safe. Names are internal ones, {@code com/example/Outer$Inner}. A library says itself
 * whether it is known where it has been relocated to: see {@link #recognise}. A library implements
 * the questions that concern it; the answer to the others is no, or what one of its parts says.
 */
public interface BufferLibrary {
  /** The libraries that this one stands for; none where it is one. */
  default List<BufferLibrary> parts() {
    return List.of();
  }

  private boolean any(Predicate<BufferLibrary> question) {
    for (BufferLibrary part : parts()) {
      if (question.test(part)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class is the library's. */
  default boolean isOwn(String name) {
    return any(library -> library.isOwn(name));
  }

  /** Whether a class lies in the package of its buffers, where no method is a hop. */
  default boolean isOfBuffers(String name) {
    return any(library -> library.isOfBuffers(name));
  }

  /** Whether a class takes, gives or keeps its buffers, by the names in its file. */
  default boolean namesBuffers(byte[] classFile) {
    return any(library -> library.namesBuffers(classFile));
  }

  /** Whether a type is its buffer, or one of its own kinds of it. */
  default boolean isBuffer(String name) {
    return any(library -> library.isBuffer(name));
  }

  /** Whether a type is the one that messages have which hold a buffer. */
  default boolean isHolder(String name) {
    return any(library -> library.isHolder(name));
  }

  /**
   * Whether a type is one of which some values are or hold a buffer and others do not, such as the
   * one of all that is counted.
   */
  default boolean mayHold(String name) {
    return any(library -> library.mayHold(name));
  }

  /** Whether a class has static methods that release and retain their arguments. */
  default boolean isCounter(String name) {
    return any(library -> library.isCounter(name));
  }

  /**
   * Whether a method of the library's reads the buffer or message it is called on, and those it is
   * given, and no more: it neither counts nor keeps nor closes any. Its result may be one of them.
   *
   * @param given whether it is given one, as an argument
   */
  default boolean onlyReads(String owner, String method, String descriptor, boolean given) {
    return any(library -> library.onlyReads(owner, method, descriptor, given));
  }

  /**
   * Whether a class may be called while a reference count is read, as each hop does: a hop in it
   * would never end.
   */
  default boolean readsCounts(String name) {
    return any(library -> library.readsCounts(name));
  }

  /** Whether a type is one by which a framework hands buffers to its users. */
  default boolean isFrameworks(String name) {
    return any(library -> library.isFrameworks(name));
  }

  /**
   * Classes of the application, or of frameworks that are not known, are such types too, in place
   * of those given before. Before anything is woven.
   *
   * @param fields by the class that has it: the field in which it keeps a buffer or what holds one
   */
  default void setFrameworks(Map<String, String> fields) {
    parts().forEach(library -> library.setFrameworks(fields));
  }

  /** One line for each field of {@link #setFrameworks} from which nothing is followed. */
  default List<String> unmetFrameworks() {
    List<String> unmet = new ArrayList<>();
    parts().forEach(library -> unmet.addAll(library.unmetFrameworks()));
    return unmet;
  }

  /**
   * Whether a declared type may be another object of the library's that must be closed, and that
   * {@link #weave} follows.
   */
  default boolean isResource(String name) {
    return any(library -> library.isResource(name));
  }

  /** Whether a class may construct such an object, by the names in its file. */
  default boolean makesResources(byte[] classFile) {
    return any(library -> library.makesResources(classFile));
  }

  /** Whether a type is its allocator. */
  default boolean isAllocator(String name) {
    return any(library -> library.isAllocator(name));
  }

  /** Whether a type is handed to those methods of handlers that may get any message. */
  default boolean isContext(String name) {
    return any(library -> library.isContext(name));
  }

  /** Whether such methods take a type that is never a message. */
  default boolean isOfChannels(String name) {
    return any(library -> library.isOfChannels(name));
  }

  /** Whether a class hands each message to the next handler. */
  default boolean isHanding(String name) {
    return any(library -> library.isHanding(name));
  }

  /** Whether a type is that of the library's handlers. */
  default boolean isHandler(String name) {
    return any(library -> library.isHandler(name));
  }

  /**
   * A class of the application that is about to load keeps a buffer, or what holds one, in a field.
   */
  default void noteWrapper(String name, String field) {
    parts().forEach(library -> library.noteWrapper(name, field));
  }

  /** Whether a method of a buffer gives another one; the rest give the same again. */
  default boolean givesAnother(String method, String descriptor) {
    return any(library -> library.givesAnother(method, descriptor));
  }

  /**
   * Whether a method is one that every holder has. To ask a holder for what it holds is no journey,
   * and would lead the flow back to where it was asked before.
   */
  default boolean isOfHolders(String method) {
    return any(library -> library.isOfHolders(method));
  }

  /**
   * Looks whether a loaded class is the library's buffer under another name. Nothing happens where
   * relocated copies are not followed.
   */
  default void recognise(Class<?> loaded) {
    parts().forEach(library -> library.recognise(loaded));
  }

  /**
   * A class with calls that report buffers that begin, are retained, and end, or null where it
   * stays as it is. First of all the library is recognised under another name, if the class names
   * it so.
   *
   * @param rewriter does it
   * @param loaded the class, if it is loaded already
   * @param resting whether only that is woven without which a class can never be
   */
  byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile,
      boolean resting);

  /**
   * Whether {@link #weave} may change a loaded class.
   *
   * @param strings those of its constant pool
   */
  default boolean mayChange(String name, Set<String> strings) {
    return any(library -> library.mayChange(name, strings));
  }

  /** Whether a loaded class keeps what is woven into it while nothing is followed. */
  default boolean keepsShape(Class<?> loaded) {
    return any(library -> library.keepsShape(loaded));
  }

  /** Whether a loaded class is the one that all buffers extend. */
  default boolean isRoot(Class<?> loaded) {
    return any(library -> library.isRoot(loaded));
  }

  /** Whether a loaded class is the one in which buffers count, so that it must be woven. */
  default boolean counts(Class<?> loaded) {
    return any(library -> library.counts(loaded));
  }

  /**
   * Asks the buffers that extend a loaded class.
   *
   * @param root the class
   * @param open lets the agent read the fields of a class
   * @return null where the library is left alone, and has said so
   * @throws ReflectiveOperationException when it is not as the library has it
   */
  @Nullable BufferAccess foreign(Class<?> root, Consumer<Class<?>> open)
      throws ReflectiveOperationException;
}
