package org.buftrail.agent.weave.resources;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import org.objectweb.asm.Type;

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
  /** Limit for the steps from superclass to superclass, which may form a circle. */
  private static final int MAX_STEPS = 32;

  /** Limit for the interfaces above one class. */
  private static final int MAX_INTERFACES = 256;

  /** Internal names of classes to be woven again, should they be loaded. */
  private final Set<String> found = ConcurrentHashMap.newKeySet();

  /** Names of classes of the JDK that are looked at when they have loaded. */
  private final Queue<String> later = new ConcurrentLinkedQueue<>();

  /** Looks at a class that is about to load. */
  public void look(@Nullable ClassLoader loader, ClassHead head, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      List<ResourceRule.Member> members = rule.inheritable();
      if (members.isEmpty() || !rule.isAbove(loader, head)) {
        continue;
      }
      if (Names.isOfJdk(head.name())) {
        // What stands above it may be loading just now.
        later.add(Names.binary(head.name()));
      } else {
        look(loader, head, rule, members);
      }
    }
  }

  private void look(
      @Nullable ClassLoader loader,
      ClassHead head,
      ResourceRule rule,
      List<ResourceRule.Member> members) {
    Search search = new Search(rule, members);
    Queue<String> interfaces = new ArrayDeque<>();
    ClassHead at = head;
    for (int steps = 0; at != null && steps < MAX_STEPS; steps++) {
      search.add(at.name(), true, rule.isAbove(loader, at), at.methods());
      interfaces.addAll(List.of(at.interfaces()));
      String parent = at.superclass();
      if (parent == null || Names.isOfJdk(parent)) {
        look(parent == null ? null : ofJdk(Names.binary(parent)), search);
        break;
      }
      at = Supertypes.read(loader, parent);
    }
    lookAtInterfaces(loader, interfaces, search);
  }

  /** Finds members from interfaces: those that no superclass declares. */
  private static void lookAtInterfaces(
      @Nullable ClassLoader loader, Queue<String> interfaces, Search search) {
    for (String name = interfaces.poll(); name != null; name = interfaces.poll()) {
      if (search.isFull() || !search.isNew(name)) {
        continue;
      }
      if (Names.isOfJdk(name)) {
        lookAtInterface(ofJdk(Names.binary(name)), search);
      } else {
        ClassHead head = Supertypes.read(loader, name);
        if (head != null) {
          search.add(name, false, search.rule.isAbove(loader, head), head.methods());
          interfaces.addAll(List.of(head.interfaces()));
        }
      }
    }
  }

  /** Looks at a loaded class. */
  public void look(Class<?> c, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      boolean mayBe = Names.isOfJdk(rule.type) || !c.getName().startsWith("java.");
      if (mayBe && !c.isArray() && rule.isAbove(c)) {
        look(c, new Search(rule, rule.inheritable()));
      }
    }
  }

  /** Looks at the types themselves, as far as the JDK or the class path has them. */
  public void lookAtTypes(List<ResourceRule> rules) {
    ClassLoader application = ClassLoader.getSystemClassLoader();
    for (ResourceRule rule : rules) {
      if (Names.isOfJdk(rule.type)) {
        Class<?> type = ofJdk(rule.typeName());
        if (type != null) {
          look(type, rules);
        }
      } else {
        ClassHead type = Supertypes.read(application, rule.type);
        if (type != null) {
          look(application, type, rules);
        }
      }
    }
  }

  private static void look(@Nullable Class<?> c, Search search) {
    for (Class<?> at = c; at != null && at != Object.class; at = at.getSuperclass()) {
      search.add(at);
    }
    for (Class<?> at = c; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Class<?> each : at.getInterfaces()) {
        lookAtInterface(each, search);
      }
    }
  }

  private static void lookAtInterface(@Nullable Class<?> c, Search search) {
    if (c != null && search.isNew(c.getName().replace('.', '/'))) {
      search.add(c);
      for (Class<?> above : c.getInterfaces()) {
        lookAtInterface(above, search);
      }
    }
  }

  private static @Nullable Class<?> ofJdk(String name) {
    try {
      return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** From one class upwards, for one type of resource. Nearer types come first. */
  private final class Search {
    final ResourceRule rule;
    private final List<ResourceRule.Member> members;

    /** What classes and resources below declare, as {@code name(parameters)result}. */
    private final Set<String> below = new HashSet<>();

    private final Set<String> interfaces = new HashSet<>();

    Search(ResourceRule rule, List<ResourceRule.Member> members) {
      this.rule = rule;
      this.members = members;
    }

    /** Whether an interface was not looked at yet. */
    boolean isNew(String name) {
      return interfaces.add(name);
    }

    boolean isFull() {
      return interfaces.size() >= MAX_INTERFACES;
    }

    void add(Class<?> c) {
      add(c.getName().replace('.', '/'), !c.isInterface(), rule.isAbove(c), declared(c));
    }

    /**
     * Without bridges: a public class has one for each public method of a superclass that is not
     * public, and what is woven is the method that it calls.
     *
     * <p>The order of several interfaces does not say which one a method is inherited from: all are
     * woven, but for what a resource declares nearer.
     */
    void add(
        String className, boolean isClass, boolean isResource, List<ClassHead.Declared> methods) {
      for (ClassHead.Declared method : methods) {
        String declared = method.name + method.descriptor;
        if (method.isAny(Opcodes.ACC_BRIDGE) || below.contains(declared)) {
          continue;
        }
        if (isClass || isResource) {
          below.add(declared);
        }
        boolean isInherited =
            !isResource
                && !method.isAny(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT);
        for (ResourceRule.Member member : members) {
          if (isInherited
              && member.isNamed(method.name, method.descriptor)
              && member.addInherited(className)) {
            found.add(className);
          }
        }
      }
    }
  }

  private static List<ClassHead.Declared> declared(Class<?> c) {
    try {
      List<ClassHead.Declared> declared = new ArrayList<>();
      for (Method method : c.getDeclaredMethods()) {
        declared.add(
            new ClassHead.Declared(
                method.getModifiers(), method.getName(), Type.getMethodDescriptor(method)));
      }
      return declared;
    } catch (Throwable e) {
      // A type that it names is not there, or its loader, which is the application's, failed.
      ClassHead head = Supertypes.read(c.getClassLoader(), c.getName().replace('.', '/'));
      return head == null ? List.of() : head.methods();
    }
  }

  /**
   * Internal names of the classes found since this was asked last; not for a thread that loads
   * classes of the application.
   */
  public Set<String> newlyFound(List<ResourceRule> rules) {
    for (String name = later.poll(); name != null; name = later.poll()) {
      Class<?> c = ofJdk(name);
      if (c != null) {
        look(c, rules);
      }
    }
    Set<String> news = new HashSet<>();
    for (String name : List.copyOf(found)) {
      if (found.remove(name)) {
        news.add(name);
      }
    }
    return news;
  }
}
