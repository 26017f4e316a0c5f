package org.buftrail.agent.weave.resources;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Finds the types from which a type of resource, or a class below it, inherits what opens or closes
 * it: {@code FileChannel.close} is that of {@code AbstractInterruptibleChannel}. A default method
 * of an interface is inherited too.
 *
 * <p>Such a type stands above that of the resource and is no resource itself. It loads after the
 * class that extends it, so what is found as that one loads is in time, unless another has brought
 * it before. Then it is woven a moment later; see {@link #newlyFound}. Thread-safe.
 */
public final class InheritedMembers {
  /** Limit for the types above one class, which may form a circle. */
  private static final int MAX_TYPES = 256;

  /** Internal names of classes to be woven again, should they be loaded. */
  private final Set<String> found = ConcurrentHashMap.newKeySet();

  /** Internal names of classes of the JDK that are looked at when they have loaded. */
  private final Queue<String> later = new ConcurrentLinkedQueue<>();

  /** Looks at a class that is about to load. */
  public void look(@Nullable ClassLoader loader, ClassHead head, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      List<ResourceRule.Member> members = rule.inheritable;
      if (members.isEmpty() || !rule.isAbove(loader, head)) {
        continue;
      }
      if (Names.isOfJdk(head.name())) {
        // What stands above it, and what reads files, may be loading just now.
        later.add(head.name());
      } else {
        look(loader, head, rule, members);
      }
    }
  }

  /** Looks at a loaded class. One without a file was looked at as it loaded, or declares all. */
  public void look(Class<?> c, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      boolean mayBe = Names.isOfJdk(rule.type) || !c.getName().startsWith("java.");
      if (mayBe && !c.isArray() && rule.isAbove(c)) {
        look(c.getClassLoader(), c.getName().replace('.', '/'), rule);
      }
    }
  }

  /** Looks at the types themselves, as far as the JDK or the class path has them. */
  public void lookAtTypes(List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      look(ClassLoader.getSystemClassLoader(), rule.type, rule);
    }
  }

  private void look(@Nullable ClassLoader loader, String name, ResourceRule rule) {
    ClassHead head = read(loader, name);
    if (head != null) {
      look(loader, head, rule, rule.inheritable);
    }
  }

  /** From one class upwards, nearer types first, and superclasses before interfaces. */
  private void look(
      @Nullable ClassLoader loader,
      ClassHead head,
      ResourceRule rule,
      List<ResourceRule.Member> members) {
    Set<String> below = new HashSet<>();
    Set<String> seen = new HashSet<>();
    Queue<String> interfaces = new ArrayDeque<>();
    ClassHead at = head;
    while (at != null && seen.add(at.name()) && seen.size() < MAX_TYPES) {
      add(at, true, rule.isAbove(loader, at.name()), members, below);
      interfaces.addAll(List.of(at.interfaces()));
      String parent = at.superclass();
      at = parent == null ? null : read(loader, parent);
    }
    for (String name = interfaces.poll(); name != null; name = interfaces.poll()) {
      ClassHead each = seen.size() < MAX_TYPES && seen.add(name) ? read(loader, name) : null;
      if (each != null) {
        add(each, false, rule.isAbove(loader, name), members, below);
        interfaces.addAll(List.of(each.interfaces()));
      }
    }
  }

  /**
   * Without bridges: a public class has one for each public method of a superclass that is not
   * public, and what is woven is the method that it calls.
   *
   * <p>The order of several interfaces does not say which one a method is inherited from: all are
   * woven, but for what a resource declares nearer.
   *
   * @param below what classes and resources below declare, as {@code name(parameters)result}
   */
  private void add(
      ClassHead type,
      boolean isClass,
      boolean isResource,
      List<ResourceRule.Member> members,
      Set<String> below) {
    for (ClassHead.Declared method : type.methods()) {
      String declared = method.name + method.descriptor;
      if (method.isAny(Opcodes.ACC_BRIDGE) || below.contains(declared)) {
        continue;
      }
      if (isClass || isResource) {
        below.add(declared);
      }
      if (isResource
          || method.isAny(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) {
        continue;
      }
      for (ResourceRule.Member member : members) {
        if (member.isNamed(method.name, method.descriptor)
            && member.inheritedFrom.add(type.name())) {
          found.add(type.name());
        }
      }
    }
  }

  private static @Nullable ClassHead read(@Nullable ClassLoader loader, String name) {
    return Supertypes.read(
        Names.isOfJdk(name) ? ClassLoader.getPlatformClassLoader() : loader, name);
  }

  /**
   * Internal names of the classes found since this was asked last; not for a thread that loads
   * classes of the application.
   */
  public Set<String> newlyFound(List<ResourceRule> rules) {
    for (String name = later.poll(); name != null; name = later.poll()) {
      for (ResourceRule rule : rules) {
        if (rule.isAbove(null, name)) {
          look(null, name, rule);
        }
      }
    }
    Set<String> news = new HashSet<>(found);
    // Another thread may have taken some meanwhile.
    news.removeIf(name -> !found.remove(name));
    return news;
  }
}
