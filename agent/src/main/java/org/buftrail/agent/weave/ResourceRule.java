package org.buftrail.agent.weave;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/** A type of resource: what opens one of its objects, and what closes it. Immutable. */
public final class ResourceRule {
  /** The name of constructors. */
  public static final String CONSTRUCTOR = "<init>";

  /** The runtime's number for the type. */
  final int id;

  /** Internal name of the type. */
  final String type;

  final List<Member> open;
  final List<Member> close;
  private final Ancestry subtypes;

  /** A method or constructor, of one class and, for a method, of those below it. */
  public static final class Member {
    private final String owner;
    private final String name;
    private final @Nullable String parameters;
    private final Ancestry owners;

    /**
     * @param owner internal name of the class or interface
     * @param name the method's, {@value ResourceRule#CONSTRUCTOR} for a constructor
     * @param parameters their descriptors one after the other, or null for any
     */
    public Member(String owner, String name, @Nullable String parameters) {
      this.owner = owner;
      this.name = name;
      this.parameters = parameters;
      this.owners = Ancestry.of(owner);
    }

    String owner() {
      return owner;
    }

    String name() {
      return name;
    }

    boolean isConstructor() {
      return name.equals(CONSTRUCTOR);
    }

    /** Whether a method that a class declares is this member, wherever the class stands. */
    boolean isNamed(String method, String descriptor) {
      return name.equals(method)
          && (parameters == null || descriptor.startsWith("(" + parameters + ")"));
    }

    /** Whether it may be declared in a class. */
    boolean isIn(@Nullable ClassLoader loader, @Nullable Class<?> loaded, ClassHead head) {
      if (isConstructor()) {
        return head.name().equals(owner);
      }
      return loaded == null ? owners.includes(loader, head) : owners.includes(loaded);
    }
  }

  /**
   * @param id the runtime's number for the type
   * @param type internal name of the class or interface
   * @param open constructors; methods that return an object of the type; other methods of the type
   * @param close methods of the type; methods of others that take an object of it
   */
  public ResourceRule(int id, String type, List<Member> open, List<Member> close) {
    this.id = id;
    this.type = type;
    this.open = List.copyOf(open);
    this.close = List.copyOf(close);
    this.subtypes = Ancestry.of(type);
  }

  /** Whether a value of a declared type is certainly a resource of this kind, or null. */
  boolean includes(@Nullable ClassLoader loader, Type declared) {
    return declared.getSort() == Type.OBJECT
        && subtypes.includes(loader, declared.getInternalName());
  }

  /** Whether a loaded class may declare one of the members. */
  public boolean concerns(Class<?> c) {
    Predicate<Member> isAbove = member -> member.owners.includes(c);
    return open.stream().anyMatch(isAbove) || close.stream().anyMatch(isAbove);
  }
}
