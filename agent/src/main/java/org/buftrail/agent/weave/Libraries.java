package org.buftrail.agent.weave;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
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

  @Override
  public List<BufferLibrary> parts() {
    return all;
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
