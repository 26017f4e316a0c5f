package org.buftrail.agent.weave.executors;

import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.buftrail.agent.weave.ScopeTransformer;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Lets executors, event loops and timers say when they are made, when a thread of theirs begins,
 * and which tasks they are handed and run: for {@link org.buftrail.flow.LeakScope}. Woven as the
 * first scope opens, so a JVM without scopes has them as they were.
 *
 * <p>Beside those of the JDK and Netty, which are known by name, any class with a method {@code
 * execute(Runnable)} is one, and what is nested in it runs its tasks.
 */
public final class ExecutorWeaver extends ScopeTransformer {
  private static final String METHOD = "execute";
  private static final String OF_TASK = "(Ljava/lang/Runnable;)V";
  private static final byte[] METHOD_BYTES = METHOD.getBytes(StandardCharsets.UTF_8);
  private static final byte[] OF_TASK_BYTES = OF_TASK.getBytes(StandardCharsets.UTF_8);
  private static final int MAX_EXECUTORS = 10_000;

  /** The classes that are executors by their methods. */
  private final Set<String> executors = ConcurrentHashMap.newKeySet();

  /**
   * @param log takes a line if something cannot be woven
   */
  public ExecutorWeaver(Instrumentation instrumentation, Consumer<String> log) {
    super(instrumentation, log);
  }

  @Override
  protected boolean wants(Class<?> type) {
    String name = type.getName().replace('.', '/');
    return !ExecutorHooks.of(name).isEmpty() || (!Names.isOfJdk(name) && isExecutor(type));
  }

  private static boolean isExecutor(Class<?> type) {
    return !type.isInterface() && Executor.class.isAssignableFrom(type);
  }

  @Override
  protected String unwoven(Class<?> type) {
    return "threads of " + type.getName() + " may be in the scope of the code that submits work";
  }

  @Override
  protected byte @Nullable [] weave(
      String name, @Nullable ProtectionDomain domain, byte[] classFile, Rewriter rewriter) {
    List<ExecutorHooks.Rule> rules = rules(name, classFile);
    return rules.isEmpty()
        ? null
        : rewriter.rewrite(classFile, next -> new ExecutorVisitor(next, rules));
  }

  private List<ExecutorHooks.Rule> rules(String name, byte[] classFile) {
    List<ExecutorHooks.Rule> known = ExecutorHooks.of(name);
    if (!known.isEmpty() || Names.isOfJdk(name)) {
      return known;
    }
    int nested = name.indexOf('$');
    if (nested > 0 && executors.contains(name.substring(0, nested))) {
      return ExecutorHooks.ofExecutors();
    }
    if (!isExecutor(classFile)) {
      return Collections.emptyList();
    }
    if (executors.size() < MAX_EXECUTORS) {
      executors.add(nested > 0 ? name.substring(0, nested) : name);
    }
    return ExecutorHooks.ofExecutors();
  }

  private static boolean isExecutor(byte[] classFile) {
    if (!ByteSearch.contains(classFile, OF_TASK_BYTES)
        || !ByteSearch.contains(classFile, METHOD_BYTES)) {
      return false;
    }
    for (ClassHead.Declared method : new ClassHead(classFile).methods()) {
      if (method.name.equals(METHOD)
          && method.descriptor.equals(OF_TASK)
          && !method.isAny(Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) {
        return true;
      }
    }
    return false;
  }
}
