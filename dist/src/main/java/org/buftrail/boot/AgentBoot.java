package org.buftrail.boot;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Agent entry: puts the flow runtime on the bootstrap class path and starts the agent in a loader
 * of its own.
 *
 * <p>Nothing that goes wrong here reaches the application: it costs one line on standard error and
 * the tracking.
 */
public final class AgentBoot {
  private static final int OLDEST_JAVA = 11;
  private static final String AGENT_CLASS = "org.buftrail.agent.Agent";
  private static final String RUNTIME_CLASS = "org.buftrail.agent.boot.FlowRuntime";
  private static final String RUNTIME_MARK = "org.buftrail.model.Snapshot";

  private static final String DETACH = "detach";

  /** Before the options of an attach by the command line: where it expects the answer. */
  private static final String REPLY = "reply=";

  private static final String REPLY_PROPERTY = "buftrail.reply";

  /** Before a question of the command line to an agent that runs. */
  private static final String ASK = "ask=";

  /** The question that needs no agent. */
  private static final String MEMORY = "memory";

  private static final String MEMORY_CLASS = "org.buftrail.report.memory.JvmMemory";

  /** Far more than the command needs to read the answer. */
  private static final long REPLY_MILLIS = 10_000;

  /** Before an answer: 0 done, 1 failed, 2 the options are wrong. */
  private static final String DONE = "0 ";

  private static final String FAILED = "1 ";

  /** The class {@code Agent}, once it has been started from this jar. */
  private static volatile @Nullable Class<?> running;

  /** Where the JVM shows no Netty, what waits for it. */
  private static volatile @Nullable Dormant dormant;

  /** Takes the last answer away, or has done so. */
  private static @Nullable Thread forgetting;

  /** How the agent starts. */
  private enum Start {
    /** Before the application, saying nothing until there is something to follow. */
    QUIET,
    /** Before the application. */
    LOUD,
    /** In an application that runs. */
    ATTACHED
  }

  /** Starts an agent that was dormant. */
  private static final class QuietStart implements Dormant.Start {
    private final String args;
    private final Instrumentation instrumentation;

    QuietStart(String args, Instrumentation instrumentation) {
      this.args = args;
      this.instrumentation = instrumentation;
    }

    @Override
    public void run() {
      boot(args, instrumentation, Start.QUIET);
    }

    @Override
    public int progress() {
      return AgentLoader.defined();
    }
  }

  /** Installs what weaves. */
  private static final class Installer implements Consumer<ClassFileTransformer> {
    private final Instrumentation instrumentation;

    Installer(Instrumentation instrumentation) {
      this.instrumentation = instrumentation;
    }

    @Override
    public void accept(ClassFileTransformer transformer) {
      instrumentation.addTransformer(transformer, instrumentation.isRetransformClassesSupported());
    }
  }

  /** Takes an answer away later. */
  private static final class Forget implements Runnable {
    private final String answer;

    Forget(String answer) {
      this.answer = answer;
    }

    @Override
    public void run() {
      try {
        Thread.sleep(REPLY_MILLIS);
      } catch (InterruptedException e) {
        // There is another answer, or somebody interrupts every thread that there is.
      }
      System.getProperties().remove(REPLY_PROPERTY, answer);
    }
  }

  private AgentBoot() {}

  /**
   * Called by the JVM for {@code -javaagent}, before the application's main method. Everybody who
   * sets {@code JAVA_TOOL_OPTIONS} gives it to JVMs too that have nothing to do with Netty: there
   * it says and does nothing.
   */
  public static void premain(@Nullable String args, Instrumentation instrumentation) {
    String given = args == null ? "" : args;
    try {
      Properties properties = System.getProperties();
      if (Surroundings.isTool(properties, jar().getPath())) {
        return;
      }
      if (!Surroundings.followsMore(given, properties, System.getenv())
          && !Surroundings.showNetty(properties)) {
        sleep(given, instrumentation);
        return;
      }
    } catch (Throwable e) {
      // What is not known of the JVM is no reason not to start.
    }
    boot(given, instrumentation, Start.QUIET);
  }

  /** Starts the agent before the application's main method, whatever the class path shows. */
  public static void start(String args, Instrumentation instrumentation) {
    boot(args, instrumentation, Start.LOUD);
  }

  /** A second agent has nothing to wait for: it would not be started beside the first. */
  private static synchronized void sleep(String args, Instrumentation instrumentation) {
    if (dormant == null && running == null) {
      Dormant waiting = new Dormant(new QuietStart(args, instrumentation));
      instrumentation.addTransformer(waiting, instrumentation.isRetransformClassesSupported());
      dormant = waiting;
    }
  }

  /** Called by the JVM on a dynamic attach. */
  public static void agentmain(@Nullable String args, Instrumentation instrumentation) {
    String given = args == null ? "" : args;
    int end = given.indexOf(';');
    boolean isAnswered = given.startsWith(REPLY) && end >= 0;
    String asked = isAnswered ? given.substring(end + 1) : given;
    if (isAnswered && asked.startsWith(ASK)) {
      String answer = ask(asked.substring(ASK.length()), instrumentation);
      reply(given.substring(REPLY.length(), end) + ' ' + answer);
      return;
    }
    Dormant waiting = dormant;
    if (waiting != null) {
      waiting.wakeAndWait();
    }
    String answer = boot(asked, instrumentation, Start.ATTACHED);
    if (isAnswered) {
      reply(given.substring(REPLY.length(), end) + ' ' + answer);
    }
  }

  /** Says nothing in the application. */
  private static String ask(String question, Instrumentation instrumentation) {
    if (question.equals(MEMORY)) {
      return memory(instrumentation);
    }
    Class<?> agent = running;
    if (agent == null) {
      return FAILED + (dormant == null ? "does not run the agent" : "has met no buffer yet");
    }
    try {
      return (String) agent.getMethod("ask", String.class).invoke(null, question);
    } catch (InvocationTargetException e) {
      return FAILED + describe(e.getCause() == null ? e : e.getCause());
    } catch (ReflectiveOperationException e) {
      return FAILED + describe(e);
    }
  }

  private static String memory(Instrumentation instrumentation) {
    try {
      Class<?> memory = Class.forName(MEMORY_CLASS);
      return DONE
          + memory.getMethod("describe", Instrumentation.class).invoke(null, instrumentation);
    } catch (InvocationTargetException e) {
      return FAILED
          + "cannot tell of its memory: "
          + describe(e.getCause() == null ? e : e.getCause());
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      return FAILED + "cannot tell of its memory: " + describe(e);
    }
  }

  /** Leaves an answer where the command that attaches reads it at once, and takes it away later. */
  private static synchronized void reply(String answer) {
    System.setProperty(REPLY_PROPERTY, answer);
    Thread before = forgetting;
    if (before != null) {
      // The answer that it would take away is gone: a command a second would leave a thread each.
      before.interrupt();
    }
    Thread later = new Thread(new Forget(answer), "buftrail-reply");
    later.setDaemon(true);
    later.start();
    forgetting = later;
  }

  private static String boot(String args, Instrumentation instrumentation, Start how) {
    boolean attached = how == Start.ATTACHED;
    try {
      int java = JavaVersion.current();
      Class<?> agent = running;
      if (java < OLDEST_JAVA) {
        return say("needs Java 11 or later, this is Java " + java);
      }
      if (attached && agent != null) {
        return command(agent, args, instrumentation);
      }
      if (isRuntimeThere()) {
        return say("was started before in this JVM; the second agent is ignored");
      }
      if (attached && args.equals(DETACH)) {
        return say("nothing to detach: the agent is not in this JVM");
      }
      return start(args, instrumentation, how);
    } catch (InvocationTargetException e) {
      return say("not started: " + describe(e.getCause() == null ? e : e.getCause()));
    } catch (Throwable e) {
      return say("not started: " + describe(e));
    }
  }

  private static String start(String args, Instrumentation instrumentation, Start how)
      throws IOException, URISyntaxException, ReflectiveOperationException {
    File jar = jar();
    AgentLoader loader = new AgentLoader(jar);
    provideRuntime(loader, jar, instrumentation);
    Class<?> agent = Class.forName(AGENT_CLASS, true, loader);
    running = agent;
    return invokeStart(agent, args, instrumentation, how);
  }

  private static String invokeStart(
      Class<?> agent, String args, Instrumentation instrumentation, Start how)
      throws ReflectiveOperationException {
    Consumer<ClassFileTransformer> installer = dormant;
    if (installer == null) {
      installer = new Installer(instrumentation);
    }
    return (String)
        agent
            .getMethod(
                "start",
                String.class,
                Instrumentation.class,
                boolean.class,
                boolean.class,
                Consumer.class)
            .invoke(
                null,
                args,
                instrumentation,
                how == Start.ATTACHED,
                how == Start.QUIET && !Surroundings.showResources(System.getProperties()),
                installer);
  }

  /** An attach to a JVM in which the agent is already: {@code detach}, or options to start anew. */
  private static String command(Class<?> agent, String args, Instrumentation instrumentation)
      throws ReflectiveOperationException {
    if (args.equals(DETACH)) {
      return (String) agent.getMethod("stop", Instrumentation.class).invoke(null, instrumentation);
    }
    return invokeStart(agent, args, instrumentation, Start.ATTACHED);
  }

  /** Whether an agent of this jar or another copy of it has been here. */
  private static boolean isRuntimeThere() {
    try {
      Class.forName(RUNTIME_MARK, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static void provideRuntime(AgentLoader loader, File jar, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    Class<?> runtime = Class.forName(RUNTIME_CLASS, true, loader);
    try {
      runtime
          .getMethod("define", JarFile.class, Instrumentation.class)
          .invoke(null, loader.jar(), instrumentation);
    } catch (ReflectiveOperationException | LinkageError e) {
      // A JVM that does not allow it: the boot class path does the same, at a price.
      try (JarFile opened = new JarFile(jar, false)) {
        instrumentation.appendToBootstrapClassLoaderSearch(opened);
      }
    }
    runtime
        .getMethod("initialise", JarFile.class, Instrumentation.class)
        .invoke(null, loader.jar(), instrumentation);
  }

  private static File jar() throws IOException, URISyntaxException {
    CodeSource source = AgentBoot.class.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IOException("the agent's jar is on the boot class path; use -javaagent alone");
    }
    return new File(source.getLocation().toURI());
  }

  private static String describe(Throwable e) {
    String message = e.getMessage();
    String text =
        message == null ? e.getClass().getName() : e.getClass().getName() + ": " + message;
    return text.replace('\n', ' ').replace('\r', ' ');
  }

  private static String say(String line) {
    System.err.println("buftrail: " + line + "; the application runs on");
    return FAILED + line;
  }
}
