package org.buftrail.boot;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts the agent in the JVM that asks for it: for tests, whose JVM somebody else starts.
 *
 * <p>A JVM does not attach to itself unless {@code -Djdk.attach.allowAttachSelf=true} was given. So
 * another one does, which takes some 200 ms. JDK 21 and later say on standard error that an agent
 * was loaded, unless {@code -XX:+EnableDynamicAgentLoading} was given.
 *
 * <p>The caller must not have touched a class of {@code org.buftrail.flow} before: the one in its
 * class path would stay, which the agent does not know.
 */
public final class SelfAttach {
  private static final String RUNTIME_MARK = "org.buftrail.model.Snapshot";
  private static final String REPLY_PROPERTY = "buftrail.reply";
  private static final String DONE = "0 ";
  private static final String FAILED = "1 ";
  private static final int OLDEST_JAVA = 11;
  private static final int SECONDS = 30;

  private SelfAttach() {}

  /**
   * Starts the agent, if it is not there. Never throws.
   *
   * @param options as {@code -javaagent} has them
   * @return one line; before it {@code 0 } when the agent is there, else {@code 1 } or, when the
   *     options are wrong, {@code 2 }
   */
  public static String start(String options) {
    try {
      if (JavaVersion.current() < OLDEST_JAVA) {
        return FAILED + "needs Java 11 or later, this is Java " + JavaVersion.current();
      }
      return isThere() ? DONE + "the agent is in this JVM already" : load(options);
    } catch (InvocationTargetException e) {
      return FAILED + firstLine(e.getCause() == null ? e : e.getCause());
    } catch (Exception | LinkageError e) {
      return FAILED + firstLine(e);
    }
  }

  private static boolean isThere() {
    try {
      Class.forName(RUNTIME_MARK, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String load(String options)
      throws IOException, URISyntaxException, ReflectiveOperationException, InterruptedException {
    String jar = jar().getAbsolutePath();
    String nonce = UUID.randomUUID().toString();
    String argument = "reply=" + nonce + ';' + options;
    String said = "";
    if (mayAttachSelf()) {
      attach(pid(), jar, argument);
    } else {
      said = attachFromOutside(jar, argument);
    }
    String answer = System.getProperty(REPLY_PROPERTY, "");
    return answer.startsWith(nonce + ' ')
        ? answer.substring(nonce.length() + 1)
        : FAILED + (said.isEmpty() ? "the agent gave no answer" : said);
  }

  private static boolean mayAttachSelf() {
    String allowed = System.getProperty("jdk.attach.allowAttachSelf");
    return allowed != null && !allowed.equals("false");
  }

  private static File jar() throws IOException, URISyntaxException {
    CodeSource source = SelfAttach.class.getProtectionDomain().getCodeSource();
    File jar = source == null ? null : new File(source.getLocation().toURI());
    if (jar == null || !jar.isFile()) {
      throw new IOException("only the packaged buftrail.jar can be attached");
    }
    return jar;
  }

  private static String pid() throws ReflectiveOperationException {
    Class<?> handle = Class.forName("java.lang.ProcessHandle");
    Object current = handle.getMethod("current").invoke(null);
    return String.valueOf(handle.getMethod("pid").invoke(current));
  }

  /** The output of the JVM that attaches, in one line. */
  private static String attachFromOutside(String jar, String argument)
      throws IOException, ReflectiveOperationException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Arrays.asList(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                jar,
                SelfAttach.class.getName(),
                pid(),
                jar,
                argument));
    // What is meant for the JVM of the tests, another agent perhaps.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = firstLine(process);
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return "the JVM that attaches did not end within " + SECONDS + " s";
    }
    return said;
  }

  private static String firstLine(Process process) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String first = "";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        first = first.isEmpty() ? line : first;
      }
      return first;
    }
  }

  /**
   * The JVM that attaches.
   *
   * @param args process, jar, and what to tell the agent
   */
  public static void main(String[] args) {
    try {
      attach(args[0], args[1], args[2]);
    } catch (InvocationTargetException e) {
      System.err.println(firstLine(e.getCause() == null ? e : e.getCause()));
    } catch (ReflectiveOperationException | LinkageError e) {
      System.err.println(firstLine(e));
    }
  }

  /** By reflection: small Java images lack the module. */
  private static void attach(String pid, String jar, String argument)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName("com.sun.tools.attach.VirtualMachine");
    Object machine = type.getMethod("attach", String.class).invoke(null, pid);
    try {
      type.getMethod("loadAgent", String.class, String.class).invoke(machine, jar, argument);
    } finally {
      type.getMethod("detach").invoke(machine);
    }
  }

  private static String firstLine(Throwable e) {
    if (e instanceof ClassNotFoundException) {
      return System.getProperty("java.home") + " lacks the module jdk.attach; use a full JDK";
    }
    @Nullable String message = e.getMessage();
    String text =
        message == null ? e.getClass().getName() : e.getClass().getName() + ": " + message;
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
