package org.buftrail.agent.weave;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Decides by their types which parameters and results may carry a buffer or a resource. One class
 * at a time.
 */
final class Carriers {
  private final BufferLibrary library;
  private final Ancestry carriers;
  private final Ancestry buffers;
  private final List<ResourceRule> resources;
  private final @Nullable ClassLoader loader;

  Carriers(
      BufferLibrary library,
      Ancestry carriers,
      Ancestry buffers,
      List<ResourceRule> resources,
      @Nullable ClassLoader loader) {
    this.library = library;
    this.carriers = carriers;
    this.buffers = buffers;
    this.resources = resources;
    this.loader = loader;
  }

  /** Whether a value of this type is a resource of one of the rules. */
  boolean isResource(Type type) {
    for (ResourceRule rule : resources) {
      if (rule.includes(loader, type)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a value of this type may be or hold a buffer.
   *
   * @param handles whether it is a parameter or result of a channel handler's method, where a
   *     message may have any type
   */
  boolean carries(Type type, boolean handles) {
    if (type.getSort() != Type.OBJECT) {
      return false;
    }
    String name = type.getInternalName();
    if (handles
        && (name.equals("java/lang/Object")
            || (!name.startsWith("java/") && !library.isOfChannels(name)))) {
      return true;
    }
    return carriers.includes(loader, name);
  }

  /** Whether a method is one that every holder has. */
  boolean isOfHolders(String method) {
    return library.isOfHolders(method);
  }

  boolean takesContext(String descriptor) {
    for (Type type : Type.getArgumentTypes(descriptor)) {
      if (type.getSort() == Type.OBJECT && library.isContext(type.getInternalName())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a method may have to do with a buffer, or be that of a channel handler.
   *
   * @param descriptor of the method, or any other string
   */
  boolean mayCarry(String descriptor) {
    try {
      boolean handles = takesContext(descriptor);
      for (Type type : Type.getArgumentTypes(descriptor)) {
        if (carries(type, handles)) {
          return true;
        }
      }
      return carries(Type.getReturnType(descriptor), handles);
    } catch (RuntimeException e) {
      // No descriptor after all.
      return false;
    }
  }

  /** Whether a call may give a buffer that nobody has seen yet. */
  boolean mayReturnNewBuffer(String owner, String method, String descriptor) {
    Type type = Type.getReturnType(descriptor);
    if (type.getSort() != Type.OBJECT || !isBuffer(type.getInternalName())) {
      return false;
    }
    return !isBuffer(owner) || library.givesAnother(method, descriptor);
  }

  /** Whether a type is the library's buffer, or one that the application has derived from it. */
  boolean isBuffer(String internalName) {
    return library.isOwn(internalName)
        ? library.isBuffer(internalName)
        : buffers.includes(loader, internalName);
  }
}
