package org.buftrail.agent;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.buftrail.agent.weave.BufferLibrary;
import org.buftrail.agent.weave.Rewriter;
import org.buftrail.agent.weave.arrow.Arrow;
import org.buftrail.flow.state.Foreign;
import org.jspecify.annotations.Nullable;

/**
 * Several libraries as one: what one of them says, they say. Thread-safe.
 *
 * <p>Asked many times for each class that loads, so in loops.
 */
final class Libraries implements BufferLibrary {
  private static final String ARROW = "arrow";

  private final BufferLibrary first;
  private final BufferLibrary arrow = new Arrow();

  /** The first, and those that the options of this attachment ask for. */
  private volatile List<BufferLibrary> all;

  /**
   * @param first is always followed
   */
  Libraries(BufferLibrary first) {
    this.first = first;
    this.all = List.of(first);
  }

  /**
   * Reads an option.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  static Set<String> parse(String text) {
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
  void setFurther(Set<String> names) {
    all = names.contains(ARROW) ? List.of(first, arrow) : List.of(first);
  }

  @Override
  public boolean isOwn(String name) {
    for (BufferLibrary library : all) {
      if (library.isOwn(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOfBuffers(String name) {
    for (BufferLibrary library : all) {
      if (library.isOfBuffers(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isBuffer(String name) {
    for (BufferLibrary library : all) {
      if (library.isBuffer(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isHolder(String name) {
    for (BufferLibrary library : all) {
      if (library.isHolder(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isFrameworks(String name) {
    for (BufferLibrary library : all) {
      if (library.isFrameworks(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void addFrameworks(String type, String field) {
    all.forEach(library -> library.addFrameworks(type, field));
  }

  @Override
  public boolean isAllocator(String name) {
    for (BufferLibrary library : all) {
      if (library.isAllocator(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isContext(String name) {
    for (BufferLibrary library : all) {
      if (library.isContext(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOfChannels(String name) {
    for (BufferLibrary library : all) {
      if (library.isOfChannels(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean givesAnother(String method, String descriptor) {
    for (BufferLibrary library : all) {
      if (library.givesAnother(method, descriptor)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOfHolders(String method) {
    for (BufferLibrary library : all) {
      if (library.isOfHolders(method)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void recognise(Class<?> loaded) {
    for (BufferLibrary library : all) {
      library.recognise(loaded);
    }
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
    for (BufferLibrary library : all) {
      if (library.mayChange(name, strings)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean keepsShape(Class<?> loaded) {
    for (BufferLibrary library : all) {
      if (library.keepsShape(loaded)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isRoot(Class<?> loaded) {
    for (BufferLibrary library : all) {
      if (library.isRoot(loaded)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean counts(Class<?> loaded) {
    for (BufferLibrary library : all) {
      if (library.counts(loaded)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Foreign foreign(Class<?> root, Consumer<Class<?>> open)
      throws ReflectiveOperationException {
    for (BufferLibrary library : all) {
      if (library.isRoot(root)) {
        return library.foreign(root, open);
      }
    }
    throw new IllegalArgumentException(root.getName() + " is of no library");
  }
}
