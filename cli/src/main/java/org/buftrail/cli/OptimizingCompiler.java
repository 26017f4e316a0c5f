package org.buftrail.cli;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * The JVM's optimising compiler, which takes a fifth of the time of one small recording, and half
 * of that of forty.
 *
 * <p>The launcher leaves it out by an option. A jar cannot set one, but a running JVM takes
 * directives for its compilers, by a diagnostic command. To ask the bean of these commands would
 * start all of JMX, so the class behind it is asked. The manifest of the jar opens its package.
 */
final class OptimizingCompiler {
  private static final String DIRECTIVES = "[{match: \"*.*\", c2: {Exclude: true}}]";

  private OptimizingCompiler() {}

  /**
   * Has methods compiled by the quick compiler alone from now on. A JVM that does not know how goes
   * on as it is.
   *
   * @return whether the JVM does so
   */
  static boolean leaveOut() {
    String name = "buftrail-" + Long.toHexString(System.nanoTime()) + ".directives";
    File file = new File(System.getProperty("java.io.tmpdir"), name);
    try {
      if (!file.createNewFile()) {
        return false;
      }
      try (FileOutputStream out = new FileOutputStream(file)) {
        out.write(DIRECTIVES.getBytes(StandardCharsets.ISO_8859_1));
      }
      return run("Compiler.directives_add \"" + file + "\"").startsWith("1 ");
    } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
      return false;
    } finally {
      delete(file);
    }
  }

  private static String run(String command) throws ReflectiveOperationException {
    // Each loads a library that the next needs.
    Class.forName("java.lang.management.ManagementFactory");
    Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl");
    Constructor<?> jvm = Class.forName("sun.management.VMManagementImpl").getDeclaredConstructor();
    jvm.setAccessible(true);
    Class<?> commands = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
    Constructor<?> bean = commands.getDeclaredConstructors()[0];
    bean.setAccessible(true);
    Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
    execute.setAccessible(true);
    return String.valueOf(execute.invoke(bean.newInstance(jvm.newInstance()), command));
  }

  private static void delete(File file) {
    if (!file.delete()) {
      file.deleteOnExit();
    }
  }
}
