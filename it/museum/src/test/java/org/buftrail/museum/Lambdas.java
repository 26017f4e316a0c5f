package org.buftrail.museum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Says in which method a lambda is written that stands within another. The compiler of Java 8 names
 * it {@code lambda$null$1}; the class file says which method makes it.
 */
final class Lambdas {
  private static final Pattern NESTED = Pattern.compile("lambda\\$null\\$\\d+");
  private static final Pattern FRAME =
      Pattern.compile("([\\w.$]+)\\.(" + NESTED.pattern() + ")(?=\\()");

  private final List<Path> classPath;

  /** By class: which method makes a lambda, by the lambda's name. */
  private final Map<String, Map<String, String>> known = new TreeMap<>();

  Lambdas(List<Path> classPath) {
    this.classPath = List.copyOf(classPath);
  }

  /** Puts the methods in place of the lambdas of a report, and returns it. */
  JsonNode replaced(JsonNode report) {
    if (report instanceof ObjectNode site && site.has("class") && site.has("method")) {
      String method = site.path("method").asText();
      Matcher nested = NESTED.matcher(method);
      if (nested.lookingAt()) {
        String found = method(site.path("class").asText(), nested.group());
        site.put("method", found + method.substring(nested.end()));
      }
    }
    report.forEach(this::replaced);
    return report;
  }

  /** Does so for the frames of stack traces. */
  String replaced(String traces) {
    return FRAME
        .matcher(traces)
        .replaceAll(
            frame ->
                Matcher.quoteReplacement(
                    frame.group(1) + "." + method(frame.group(1), frame.group(2))));
  }

  private String method(String className, String lambda) {
    Map<String, String> makers = known.computeIfAbsent(className, this::makers);
    String at = lambda;
    while (NESTED.matcher(at).matches() && makers.containsKey(at)) {
      at = makers.get(at);
    }
    return at;
  }

  private Map<String, String> makers(String className) {
    Map<String, String> makers = new TreeMap<>();
    byte[] file = file(className.replace('.', '/') + ".class");
    if (file != null) {
      new ClassReader(file).accept(new Makers(makers), ClassReader.SKIP_DEBUG);
    }
    return makers;
  }

  private byte @Nullable [] file(String name) {
    URL[] urls = new URL[classPath.size()];
    try {
      for (int i = 0; i < urls.length; i++) {
        urls[i] = classPath.get(i).toUri().toURL();
      }
      try (URLClassLoader files = new URLClassLoader(urls, null);
          InputStream in = files.getResourceAsStream(name)) {
        return in == null ? null : in.readAllBytes();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Makers extends ClassVisitor {
    private final Map<String, String> makers;

    Makers(Map<String, String> makers) {
      super(Opcodes.ASM9);
      this.makers = makers;
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitInvokeDynamicInsn(
            String name, String type, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle made) {
              makers.put(made.getName(), method);
            }
          }
        }
      };
    }
  }
}
