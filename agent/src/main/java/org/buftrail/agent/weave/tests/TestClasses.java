package org.buftrail.agent.weave.tests;

import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.regex.Pattern;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;

/**
 * Tells code of tests by where a build puts it, or by the frameworks that it names; and the parts
 * of assertion libraries that catch. Stateless.
 */
final class TestClasses {
  /**
   * Maven's, Gradle's, IntelliJ's and Eclipse's directories, of whatever source set, and the jars
   * that are built of them.
   */
  private static final Pattern LOCATION =
      Pattern.compile(
          ".*(/test-classes/|/classes/\\w+/(\\w*Test|test)\\w*/|/out/test/[^/]+/|/bin/test/"
              + "|[-_.]tests?\\.jar(!/)?)");

  private static final List<byte[]> FRAMEWORKS =
      bytes(
          "org/junit/",
          "org/testng/",
          "org/assertj/",
          "org/hamcrest/",
          "io/kotest/",
          "kotlin/test/",
          "com/google/common/truth/");

  /** Packages of frameworks, and what the names of classes there have that catch for a test. */
  private static final String[][] CATCHING = {
    {"org/assertj/core/", "Throw"},
    {"org/assertj/core/", "Future"},
    {"org/junit/jupiter/api/", "Assert"},
    {"org/junit/Assert", ""},
    {"org/junit/function/", ""},
    {"org/junit/rules/", "Expect"},
    {"org/testng/", "Assert"},
    {"com/google/common/truth/", "Expect"},
    {"io/kotest/assertions/", ""},
    {"kotlin/test/", ""},
    {"org/awaitility/", "Condition"},
    {"reactor/test/", "Subscriber"},
  };

  private TestClasses() {}

  /**
   * Whether exceptions that a class catches are those that a test means to see.
   *
   * @param name its internal name
   * @param domain says where it comes from
   */
  static boolean contain(String name, @Nullable ProtectionDomain domain, byte[] classFile) {
    if (isOfFramework(name)) {
      return catches(name);
    }
    if (Names.isOfJdk(name)) {
      return false;
    }
    if (isTestLocation(domain)) {
      return true;
    }
    for (byte[] framework : FRAMEWORKS) {
      if (ByteSearch.contains(classFile, framework)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class that was loaded before may be such a one; its file is not looked at. */
  static boolean mayContain(Class<?> type) {
    String name = type.getName().replace('.', '/');
    return !Names.isOfJdk(name)
        && (isOfFramework(name)
            ? catches(name)
            : name.contains("Test") || isTestLocation(type.getProtectionDomain()));
  }

  private static boolean isOfFramework(String name) {
    return name.startsWith("org/junit/")
        || name.startsWith("org/assertj/")
        || name.startsWith("org/hamcrest/")
        || name.startsWith("org/testng/")
        || name.startsWith("org/awaitility/")
        || name.startsWith("com/google/common/")
        || name.startsWith("io/kotest/")
        || name.startsWith("kotlin/")
        || name.startsWith("reactor/test/");
  }

  private static boolean catches(String name) {
    for (String[] each : CATCHING) {
      if (name.startsWith(each[0]) && Names.simple(name).contains(each[1])) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTestLocation(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location != null && LOCATION.matcher(location.toString()).matches();
  }

  private static List<byte[]> bytes(String... names) {
    byte[][] all = new byte[names.length][];
    for (int i = 0; i < names.length; i++) {
      all[i] = names[i].getBytes(StandardCharsets.UTF_8);
    }
    return List.of(all);
  }
}
