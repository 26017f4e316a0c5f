package org.buftrail.agent.weave.selection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.buftrail.agent.weave.classfile.Names;

/**
 * A list of packages and classes, as options name them.
 *
 * <p>{@code com.example.app} stands for the package and all below it, with or without {@code .*};
 * or for the class of that name and those nested in it. Immutable.
 */
public final class ClassPattern {
  /** Matches nothing. */
  public static final ClassPattern NONE = new ClassPattern(Collections.emptyList());

  private static final Pattern NAME =
      Pattern.compile(
          "[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*"
              + "(\\.[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*)*");

  /** Names in class-file form, {@code com/example/app}. */
  private final List<String> prefixes;

  private ClassPattern(List<String> prefixes) {
    this.prefixes = prefixes;
  }

  /**
   * Parses names separated by commas.
   *
   * @throws IllegalArgumentException naming the part that is neither a package nor a class
   */
  public static ClassPattern parse(String text) {
    List<String> prefixes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String name = part.trim();
      while (name.endsWith(".*") || name.endsWith(".**")) {
        name = name.substring(0, name.lastIndexOf('.'));
      }
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "'" + part.trim() + "' is not a package or class name such as com.example.app");
      }
      prefixes.add(name.replace('.', '/'));
    }
    return new ClassPattern(prefixes);
  }

  /** Whether a class is named, {@code internalName} being {@code com/example/Outer$Inner}. */
  public boolean matches(String internalName) {
    for (String prefix : prefixes) {
      if (internalName.startsWith(prefix)
          && (internalName.length() == prefix.length()
              || internalName.charAt(prefix.length()) == '/'
              || internalName.charAt(prefix.length()) == '$')) {
        return true;
      }
    }
    return false;
  }

  /** Whether it matches nothing. */
  public boolean isEmpty() {
    return prefixes.isEmpty();
  }

  /** The names as written, {@code com.example.app}. */
  public List<String> names() {
    return prefixes.stream().map(Names::binary).collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return String.join(",", prefixes).replace('/', '.');
  }
}
