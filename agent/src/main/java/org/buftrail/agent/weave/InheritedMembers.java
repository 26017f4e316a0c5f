package org.buftrail.agent.weave;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the classes from which a type of resource, or a class below it, inherits what opens or
 * closes it: {@code FileChannel.close} is that of {@code AbstractInterruptibleChannel}.
 *
 * <p>Such a class stands above the type and is no resource itself. It loads after the class that
 * extends it, so what is found as that one loads is in time, unless another has brought it before.
 * Then it is woven a moment later; see {@link #newlyFound}. Thread-safe.
 */
final class InheritedMembers {
  /** Of a class file to that of its superclass, which may lead in a circle. */
  private static final int MAX_STEPS = 32;

  /** Internal names of classes to be woven again, should they be loaded. */
  private final Set<String> found = ConcurrentHashMap.newKeySet();

  /** Names of classes of the JDK that are looked at when they have loaded. */
  private final Queue<String> later = new ConcurrentLinkedQueue<>();

  /** Where a method stands, as far as is of interest here. */
  private static final class Declared {
    final String name;
    final String descriptor;
    final int access;

    Declared(String name, String descriptor, int access) {
      this.name = name;
      this.descriptor = descriptor;
      this.access = access;
    }
  }

  /** Looks at a class that is about to load. */
  void look(@Nullable ClassLoader loader, ClassHead head, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      List<ResourceRule.Member> members = rule.inheritable();
      if (members.isEmpty() || !rule.isAbove(loader, head)) {
        continue;
      }
      if (Names.isOfJdk(head.name())) {
        // What stands above it may be loading just now.
        later.add(Names.binary(head.name()));
      } else if ((head.reader().getAccess() & Opcodes.ACC_INTERFACE) == 0) {
        look(loader, head, rule, members);
      }
    }
  }

  private void look(
      @Nullable ClassLoader loader,
      ClassHead head,
      ResourceRule rule,
      List<ResourceRule.Member> members) {
    Set<String> below = new HashSet<>();
    ClassHead at = head;
    for (int steps = 0; at != null && steps < MAX_STEPS; steps++) {
      add(at.name(), rule.isAbove(loader, at), declared(at.reader()), members, below);
      String parent = at.superclass();
      if (parent == null || Names.isOfJdk(parent)) {
        look(parent == null ? null : ofJdk(Names.binary(parent)), rule, members, below);
        return;
      }
      at = Supertypes.read(loader, parent);
    }
  }

  /** Looks at a loaded class. */
  void look(Class<?> c, List<ResourceRule> rules) {
    for (ResourceRule rule : rules) {
      boolean mayBe = Names.isOfJdk(rule.type) || !c.getName().startsWith("java.");
      if (mayBe && !c.isInterface() && !c.isArray() && rule.isAbove(c)) {
        look(c, rule, rule.inheritable(), new HashSet<>());
      }
    }
  }

  /** Looks at the types themselves, as far as the JDK or the class path has them. */
  void lookAtTypes(List<ResourceRule> rules) {
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

  private void look(
      @Nullable Class<?> c,
      ResourceRule rule,
      List<ResourceRule.Member> members,
      Set<String> below) {
    for (Class<?> at = c; at != null && at != Object.class; at = at.getSuperclass()) {
      add(at.getName().replace('.', '/'), rule.isAbove(at), declared(at), members, below);
    }
  }

  private static @Nullable Class<?> ofJdk(String name) {
    try {
      return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /**
   * @param below what classes below declare, as {@code name(parameters)result}
   */
  private void add(
      String className,
      boolean isResource,
      List<Declared> methods,
      List<ResourceRule.Member> members,
      Set<String> below) {
    for (Declared method : methods) {
      boolean isInherited =
          below.add(method.name + method.descriptor)
              && !isResource
              && (method.access & (Modifier.PRIVATE | Modifier.STATIC | Modifier.ABSTRACT)) == 0;
      for (ResourceRule.Member member : members) {
        if (isInherited
            && member.isNamed(method.name, method.descriptor)
            && member.addInherited(className)) {
          found.add(className);
        }
      }
    }
  }

  /**
   * Without bridges: a public class has one for each public method of a superclass that is not
   * public, and what is woven is the method that it calls.
   */
  private static List<Declared> declared(ClassReader reader) {
    List<Declared> declared = new ArrayList<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            if ((access & Opcodes.ACC_BRIDGE) == 0) {
              declared.add(new Declared(method, descriptor, access));
            }
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return declared;
  }

  private static List<Declared> declared(Class<?> c) {
    List<Declared> declared = new ArrayList<>();
    try {
      for (Method method : c.getDeclaredMethods()) {
        if (!method.isBridge()) {
          declared.add(
              new Declared(
                  method.getName(), Type.getMethodDescriptor(method), method.getModifiers()));
        }
      }
    } catch (Throwable e) {
      // A type that it names is not there, or its loader, which is the application's, failed.
      declared.clear();
      ClassHead head = Supertypes.read(c.getClassLoader(), c.getName().replace('.', '/'));
      return head == null ? declared : declared(head.reader());
    }
    return declared;
  }

  /**
   * Internal names of the classes found since this was asked last; not for a thread that loads
   * classes of the application.
   */
  Set<String> newlyFound(List<ResourceRule> rules) {
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
