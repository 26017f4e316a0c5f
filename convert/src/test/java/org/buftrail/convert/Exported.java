package org.buftrail.convert;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The types that programs can name, of the packages that a module exports.
 *
 * @param topLevel their names, without the part that all share
 * @param hiddenInSignatures what public and protected members name and no program can
 */
record Exported(List<String> topLevel, Set<String> hiddenInSignatures) {
  private static final Pattern NAME = Pattern.compile("org\\.buftrail(?:\\.[A-Za-z$0-9_]+)+");

  static Exported of(Path jar, ModuleDescriptor module) throws Exception {
    Set<String> packages =
        module.exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    List<Class<?>> types = new ArrayList<>();
    URL[] urls = {jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      for (String name : classes(jar)) {
        Class<?> type = Class.forName(name, false, loader);
        if (packages.contains(type.getPackageName()) && isPublic(type)) {
          types.add(type);
        }
      }
      return new Exported(topLevel(types), hiddenInSignatures(types));
    }
  }

  private static List<String> classes(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.startsWith("org/") && name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
          .toList();
    }
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isPublic(outer));
  }

  private static List<String> topLevel(List<Class<?>> types) {
    return types.stream()
        .filter(type -> type.getDeclaringClass() == null)
        .map(type -> type.getName().substring("org.buftrail.".length()))
        .toList();
  }

  private static Set<String> hiddenInSignatures(List<Class<?>> types) {
    Set<String> names = types.stream().map(Class::getName).collect(Collectors.toSet());
    Set<String> hidden = new TreeSet<>();
    for (Class<?> type : types) {
      List<Member> members = new ArrayList<>(List.of(type.getDeclaredMethods()));
      members.addAll(List.of(type.getDeclaredConstructors()));
      members.addAll(List.of(type.getDeclaredFields()));
      List<String> signatures = new ArrayList<>();
      for (Member member : members) {
        if ((member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
          signatures.add(signature(member));
        }
      }
      signatures.add(String.valueOf(type.getGenericSuperclass()));
      signatures.add(List.of(type.getGenericInterfaces()).toString());
      signatures.forEach(signature -> look(signature, names, hidden));
    }
    return hidden;
  }

  private static String signature(Member member) {
    return member instanceof Field field
        ? field.toGenericString()
        : ((Executable) member).toGenericString();
  }

  private static void look(String signature, Set<String> known, Set<String> hidden) {
    Matcher names = NAME.matcher(signature);
    while (names.find()) {
      String name = names.group();
      // A member is named with its class.
      String owner = name.substring(0, name.lastIndexOf('.'));
      if (!known.contains(name) && !known.contains(owner)) {
        hidden.add(name + " in " + signature);
      }
    }
  }
}
