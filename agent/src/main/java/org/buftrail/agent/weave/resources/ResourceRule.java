package org.buftrail.agent.weave.resources;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.woven.Resources;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * A type of resource: what opens one of its objects, and what closes it. Thread-safe: beside what
 * was asked for, members know in which classes they were found.
 */
public final class ResourceRule {
  /** The name of constructors. */
  public static final String CONSTRUCTOR = "<init>";

  /** The runtime's number for the type. */
  final int id;

  /** Internal name of the type. */
  final String type;

  final List<Member> open;
  final List<Member> close;

  /** Whether its objects count their holders, so that not each close is the end. */
  final boolean counted;

  /** The methods of the type itself, which it may inherit. */
  final List<Member> inheritable;

  private final Ancestry subtypes;

  /** A method or constructor, of one class and, for a method, of those below it. */
  public static final class Member {
    final String owner;
    final String name;
    private final @Nullable String parameters;
    private final Ancestry owners;

    /** Internal names of classes above the owner that declare it, for a class that inherits it. */
    final Set<String> inheritedFrom = ConcurrentHashMap.newKeySet();

    /** Whether it was found in a class. */
    volatile boolean isWoven;

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

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Member && text("").equals(((Member) o).text(""));
    }

    @Override
    public int hashCode() {
      return text("").hashCode();
    }

    /** Whether it is one of exactly this type. */
    public boolean isOf(String internalName) {
      return owner.equals(internalName);
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
      String name = head.name();
      if (isConstructor()) {
        return name.equals(owner);
      }
      return inheritedFrom.contains(name)
          || (loaded == null ? owners.includes(loader, head) : owners.includes(loaded));
    }

    private boolean isIn(Class<?> c) {
      return owners.includes(c) || inheritedFrom.contains(c.getName().replace('.', '/'));
    }

    /** The member as the option writes it. */
    private String text(String type) {
      String method = (isConstructor() ? "new" : name) + parametersText();
      return owner.equals(type) ? method : Names.binary(owner) + "." + method;
    }

    private String parametersText() {
      return parameters == null
          ? ""
          : Arrays.stream(Type.getArgumentTypes("(" + parameters + ")V"))
              .map(Type::getClassName)
              .collect(Collectors.joining(",", "(", ")"));
    }
  }

  /**
   * @param id the runtime's number for the type
   * @param type internal name of the class or interface
   * @param open constructors; methods that return an object of the type; other methods of the type
   * @param close methods of the type; methods of others that take an object of it
   */
  public ResourceRule(int id, String type, List<Member> open, List<Member> close) {
    this(id, type, open, close, false);
  }

  /** Makes the rule of a type whose objects may count their holders. */
  public ResourceRule(int id, String type, List<Member> open, List<Member> close, boolean counted) {
    this.id = id;
    this.type = type;
    this.counted = counted;
    this.open = List.copyOf(open);
    this.close = List.copyOf(close);
    this.inheritable =
        members()
            .filter(member -> member.isOf(type) && !member.isConstructor())
            .collect(Collectors.toUnmodifiableList());
    this.subtypes = Ancestry.of(type);
  }

  private Stream<Member> members() {
    return Stream.concat(open.stream(), close.stream());
  }

  /** Whether another asks for the same, so that one of them is enough. */
  public boolean isSame(ResourceRule other) {
    return id == other.id && open.equals(other.open) && close.equals(other.close);
  }

  /** Whether a value of a declared type is certainly a resource of this kind, or null. */
  public boolean includes(@Nullable ClassLoader loader, Type declared) {
    return declared.getSort() == Type.OBJECT
        && subtypes.includes(loader, declared.getInternalName());
  }

  /** Whether a class that is about to load is of the type or below it. */
  boolean isAbove(@Nullable ClassLoader loader, ClassHead head) {
    return subtypes.includes(loader, head);
  }

  boolean isAbove(@Nullable ClassLoader loader, String name) {
    return subtypes.includes(loader, name);
  }

  boolean isAbove(Class<?> c) {
    return subtypes.includes(c);
  }

  /** Whether a loaded class may declare one of the members. */
  public boolean concerns(Class<?> c) {
    return members().anyMatch(member -> member.isIn(c));
  }

  /** The binary name of the type. */
  public String typeName() {
    return Names.binary(type);
  }

  /**
   * The members found in no class so far, as the option writes them: {@code open=take, close=give}.
   * One of several alternatives is left out while nothing of its class was found at all: that class
   * may not be used by this application.
   */
  public String unmatched() {
    StringBuilder text = new StringBuilder();
    addUnmatched("open=", open, text);
    addUnmatched("close=", close, text);
    return text.toString();
  }

  private void addUnmatched(String key, List<Member> members, StringBuilder to) {
    boolean none = members.stream().noneMatch(member -> member.isWoven);
    for (Member member : members) {
      boolean isUsed = members().anyMatch(each -> each.isWoven && each.isOf(member.owner));
      if (!member.isWoven && (none || isUsed)) {
        to.append(to.length() == 0 ? "" : ", ").append(key).append(member.text(type));
      }
    }
  }

  /** Whether objects were opened, and no method was found that closes them. */
  public boolean isNeverClosed() {
    return close.stream().noneMatch(member -> member.isWoven) && Resources.isOpened(id);
  }
}
