package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Figure;
import org.junit.jupiter.api.Test;

/**
 * All that is static and may change, and so outlives a detach, with the reason why that is right:
 * {@code static-state.txt}. A new field of this kind is added there, or becomes part of something
 * that ends.
 */
final class StaticStateTest {
  /** Fields of these types never change. */
  private static final List<Class<?>> CONSTANT =
      List.of(
          String.class,
          Number.class,
          Enum.class,
          Boolean.class,
          Class.class,
          Module.class,
          Pattern.class,
          Comparator.class,
          VarHandle.class,
          MethodHandle.class,
          MethodType.class,
          ObjectName.class,
          DateTimeFormatter.class,
          Duration.class,
          Charset.class);

  @Test
  void whatOutlivesADetachIsListedWithItsReason() throws Exception {
    Map<String, String> reasons = reasons();
    assertThat(new TreeSet<>(found())).containsExactlyElementsOf(reasons.keySet());
    assertThat(reasons.values()).noneMatch(String::isBlank);
  }

  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new TreeMap<>();
    try (InputStream in =
            Objects.requireNonNull(StaticStateTest.class.getResourceAsStream("/static-state.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split(" +", 2);
        reasons.put(parts[0], parts.length < 2 ? "" : parts[1]);
      }
    }
    return reasons;
  }

  private static List<String> found() throws Exception {
    List<String> found = new ArrayList<>();
    for (Class<?> one : List.of(FlowTracker.class, Agent.class, Figure.class)) {
      for (String name : classes(one)) {
        for (Field field : Class.forName(name).getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers()) && mayChange(field)) {
            found.add(name.replace("org.buftrail.", "") + "." + field.getName());
          }
        }
      }
    }
    return found;
  }

  private static boolean mayChange(Field field) throws IllegalAccessException {
    if (field.isSynthetic()) {
      return false;
    }
    Class<?> type = field.getType();
    if (!Modifier.isFinal(field.getModifiers())) {
      return true;
    }
    if (AtomicInteger.class == type || AtomicLong.class == type) {
      return true;
    }
    if (type.isPrimitive() || CONSTANT.stream().anyMatch(each -> each.isAssignableFrom(type))) {
      return false;
    }
    if (type.isArray()) {
      // Tables of numbers and names are written once.
      Class<?> of = type.getComponentType();
      return !of.isPrimitive() && of != String.class && !of.isEnum();
    }
    field.setAccessible(true);
    Object value = field.get(null);
    return value != null && !isConstant(value.getClass());
  }

  /** Collections of the JDK that nothing can be added to, lambdas, and our own without fields. */
  private static boolean isConstant(Class<?> c) {
    return c.getName().startsWith("java.util.ImmutableCollections")
        || c.getName().startsWith("java.util.Collections$Unmodifiable")
        || c.isSynthetic()
        || c.getName().contains("$$Lambda")
        || (c.getName().startsWith("org.buftrail.") && hasConstantFields(c));
  }

  private static boolean hasConstantFields(Class<?> c) {
    for (Class<?> at = c; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !(Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive()
                    || CONSTANT.stream().anyMatch(e -> e.isAssignableFrom(field.getType()))))) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<String> classes(Class<?> one) throws IOException, URISyntaxException {
    URI place = one.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(place))) {
      return classes(Path.of(place));
    }
    try (FileSystem jar = FileSystems.newFileSystem(Path.of(place), (ClassLoader) null)) {
      return classes(jar.getPath("/"));
    }
  }

  private static List<String> classes(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .collect(Collectors.toList());
    }
  }
}
