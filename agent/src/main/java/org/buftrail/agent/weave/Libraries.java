package org.buftrail.agent.weave;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.agent.weave.arrow.Arrow;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;

/** Several libraries as one: what one of them says, they say. Thread-safe. */
public final class Libraries implements BufferLibrary {
  private static final String ARROW = "arrow";

  private final BufferLibrary first;
  private final BufferLibrary arrow = new Arrow();

  /** The first, and those that the options of this attachment ask for. */
  private volatile List<BufferLibrary> all;

  /**
   * @param first is always followed
   */
  public Libraries(BufferLibrary first) {
    this.first = first;
    this.all = List.of(first);
  }

  /**
   * Reads an option.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static Set<String> parse(String text) {
    Set<String> names = new LinkedHashSet<>();
    for (String part : text.split(",", -1)) {
      String name = part.trim();
      if (!name.equals(ARROW)) {
        throw new IllegalArgumentException(
            "'" + name + "' is no library that is known but Netty; write arrow");
      }
      names.add(name);
    }
    return names;
  }

  /** Chooses those beside the first, before anything is woven. */
  public void setFurther(Set<String> names) {
    all = names.contains(ARROW) ? List.of(first, arrow) : List.of(first);
  }

  private boolean any(Predicate<BufferLibrary> test) {
    for (BufferLibrary library : all) {
      if (test.test(library)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOwn(String name) {
    return any(library -> library.isOwn(name));
  }

  @Override
  public boolean isOfBuffers(String name) {
    return any(library -> library.isOfBuffers(name));
  }

  @Override
  public boolean namesBuffers(byte[] classFile) {
    return any(library -> library.namesBuffers(classFile));
  }

  @Override
  public boolean isBuffer(String name) {
    return any(library -> library.isBuffer(name));
  }

  @Override
  public boolean isHolder(String name) {
    return any(library -> library.isHolder(name));
  }

  @Override
  public boolean mayHold(String name) {
    return any(library -> library.mayHold(name));
  }

  @Override
  public boolean isCounter(String name) {
    return any(library -> library.isCounter(name));
  }

  @Override
  public boolean onlyReads(String owner, String method, String descriptor, boolean given) {
    return any(library -> library.onlyReads(owner, method, descriptor, given));
  }

  @Override
  public boolean readsCounts(String name) {
    return any(library -> library.readsCounts(name));
  }

  @Override
  public boolean isHanding(String name) {
    return any(library -> library.isHanding(name));
  }

  @Override
  public boolean isHandler(String name) {
    return any(library -> library.isHandler(name));
  }

  @Override
  public void noteWrapper(String name, String field) {
    first.noteWrapper(name, field);
    arrow.noteWrapper(name, field);
  }

  @Override
  public boolean isFrameworks(String name) {
    return any(library -> library.isFrameworks(name));
  }

  @Override
  public void setFrameworks(Map<String, String> fields) {
    first.setFrameworks(fields);
    arrow.setFrameworks(fields);
  }

  @Override
  public List<String> unmetFrameworks() {
    return first.unmetFrameworks();
  }

  @Override
  public boolean isResource(String name) {
    return any(library -> library.isResource(name));
  }

  @Override
  public boolean makesResources(byte[] classFile) {
    return any(library -> library.makesResources(classFile));
  }

  @Override
  public boolean isAllocator(String name) {
    return any(library -> library.isAllocator(name));
  }

  @Override
  public boolean isContext(String name) {
    return any(library -> library.isContext(name));
  }

  @Override
  public boolean isOfChannels(String name) {
    return any(library -> library.isOfChannels(name));
  }

  @Override
  public boolean givesAnother(String method, String descriptor) {
    return any(library -> library.givesAnother(method, descriptor));
  }

  @Override
  public boolean isOfHolders(String method) {
    return any(library -> library.isOfHolders(method));
  }

  @Override
  public void recognise(Class<?> loaded) {
    all.forEach(library -> library.recognise(loaded));
  }

  @Override
  public byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile,
      boolean resting) {
    byte[] woven = null;
    for (BufferLibrary library : all) {
      byte[] from = woven == null ? classFile : woven;
      byte[] more = library.weave(rewriter, loader, name, loaded, from, resting);
      woven = more == null ? woven : more;
    }
    return woven;
  }

  @Override
  public boolean mayChange(String name, Set<String> strings) {
    return any(library -> library.mayChange(name, strings));
  }

  @Override
  public boolean keepsShape(Class<?> loaded) {
    return any(library -> library.keepsShape(loaded));
  }

  @Override
  public boolean isRoot(Class<?> loaded) {
    return any(library -> library.isRoot(loaded));
  }

  @Override
  public boolean counts(Class<?> loaded) {
    return any(library -> library.counts(loaded));
  }

  @Override
  public @Nullable BufferAccess foreign(Class<?> root, Consumer<Class<?>> open)
      throws ReflectiveOperationException {
    for (BufferLibrary library : all) {
      if (library.isRoot(root)) {
        return library.foreign(root, open);
      }
    }
    throw new IllegalArgumentException(root.getName() + " is of no library");
  }
}
