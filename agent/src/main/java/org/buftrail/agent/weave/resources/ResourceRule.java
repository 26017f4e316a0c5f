package org.buftrail.agent.weave.resources;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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

  private final Ancestry subtypes;

  /** A method or constructor, of one class and, for a method, of those below it. */
  public static final class Member {
    private final String owner;
    private final String name;
    private final @Nullable String parameters;
    private final Ancestry owners;

    /** Internal names of classes above the owner that declare it, for a class that inherits it. */
    private final Set<String> inheritedFrom = ConcurrentHashMap.newKeySet();

    private volatile boolean woven;

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

    String owner() {
      return owner;
    }

    /** Whether it is one of exactly this type. */
    public boolean isOf(String internalName) {
      return owner.equals(internalName);
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

    /** Whether the owner, or a class below it, inherits it from a class. Whether that is news. */
    boolean addInherited(String internalName) {
      return inheritedFrom.add(internalName);
    }

    void noteWoven() {
      woven = true;
    }

    boolean isWoven() {
      return woven;
    }

    /** The member as the option writes it. */
    private String text(String type) {
      String method = (isConstructor() ? "new" : name) + parametersText();
      return owner.equals(type) ? method : Names.binary(owner) + "." + method;
    }

    private String parametersText() {
      if (parameters == null) {
        return "";
      }
      StringJoiner names = new StringJoiner(",", "(", ")");
      for (Type parameter : Type.getArgumentTypes("(" + parameters + ")V")) {
        names.add(parameter.getClassName());
      }
      return names.toString();
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
    this.subtypes = Ancestry.of(type);
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
    Predicate<Member> isIn = member -> member.isIn(c);
    return open.stream().anyMatch(isIn) || close.stream().anyMatch(isIn);
  }

  /** The runtime's number for the type. */
  public int number() {
    return id;
  }

  /** The binary name of the type. */
  public String typeName() {
    return Names.binary(type);
  }

  /** The methods of the type itself, which it may inherit. */
  List<Member> inheritable() {
    List<Member> own = new ArrayList<>();
    for (Member member : open) {
      if (member.owner.equals(type) && !member.isConstructor()) {
        own.add(member);
      }
    }
    for (Member member : close) {
      if (member.owner.equals(type)) {
        own.add(member);
      }
    }
    return own;
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
    boolean none = members.stream().noneMatch(Member::isWoven);
    for (Member member : members) {
      if (!member.isWoven() && (none || isUsed(member.owner))) {
        to.append(to.length() == 0 ? "" : ", ").append(key).append(member.text(type));
      }
    }
  }

  /** Whether something of a class, or of one below it, was found. */
  private boolean isUsed(String owner) {
    Predicate<Member> isUsed = member -> member.isWoven() && member.isOf(owner);
    return open.stream().anyMatch(isUsed) || close.stream().anyMatch(isUsed);
  }

  /** Whether objects were opened, and no method was found that closes them. */
  public boolean isNeverClosed() {
    return close.stream().noneMatch(Member::isWoven) && Resources.isOpened(id);
  }
}
