package org.buftrail.agent.weave.executors;

import static org.buftrail.agent.weave.executors.Hook.BEGUN;
import static org.buftrail.agent.weave.executors.Hook.HANDED;
import static org.buftrail.agent.weave.executors.Hook.LASTING;
import static org.buftrail.agent.weave.executors.Hook.LASTS_ITSELF;
import static org.buftrail.agent.weave.executors.Hook.MADE;
import static org.buftrail.agent.weave.executors.Hook.OFFERED;
import static org.buftrail.agent.weave.executors.Hook.OFFERS_ITSELF;
import static org.buftrail.agent.weave.executors.Hook.RUNS;
import static org.buftrail.agent.weave.executors.Hook.TAKES_ITSELF;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Which methods of which classes hand on, take and run tasks. Stateless. */
final class ExecutorHooks {
  private static final String NETTY = "netty/util/";
  private static final String COROUTINES = "kotlinx/coroutines/";
  private static final String ANY = "*";
  private static final String CONSTRUCTOR = "<init>";

  /** Classes of the JDK. A name that ends with {@code $} stands for all nested classes. */
  private static final List<Rule> OF_THE_JDK =
      List.of(
          new Rule("java/util/concurrent/ThreadPoolExecutor", CONSTRUCTOR, MADE),
          new Rule("java/util/concurrent/ThreadPoolExecutor", "execute", HANDED),
          new Rule("java/util/concurrent/ThreadPoolExecutor", "runWorker", BEGUN, RUNS),
          new Rule("java/util/concurrent/ScheduledThreadPoolExecutor", "delayedExecute", LASTING),
          new Rule("java/util/concurrent/ForkJoinPool", CONSTRUCTOR, MADE),
          new Rule("java/util/concurrent/ForkJoinPool", "execute", HANDED),
          new Rule("java/util/concurrent/ForkJoinPool", "submit", HANDED),
          new Rule("java/util/concurrent/ForkJoinPool", "runWorker", BEGUN),
          new Rule("java/util/concurrent/ForkJoinTask", "fork", OFFERS_ITSELF),
          new Rule("java/util/concurrent/ForkJoinTask", "doExec", TAKES_ITSELF),
          new Rule("java/util/concurrent/ForkJoinTask$AdaptedCallable", CONSTRUCTOR, OFFERS_ITSELF),
          new Rule(
              "java/util/concurrent/ForkJoinTask$AdaptedInterruptibleCallable",
              CONSTRUCTOR,
              OFFERS_ITSELF),
          new Rule("java/util/concurrent/ForkJoinTask$", ANY, RUNS),
          new Rule(
              "java/util/concurrent/DelayScheduler$ScheduledForkJoinTask",
              CONSTRUCTOR,
              LASTS_ITSELF),
          new Rule("java/util/Timer", "sched", LASTING),
          new Rule("java/util/TimerThread", "mainLoop", RUNS));

  /** In Netty's package, relocated or not. */
  private static final List<Rule> OF_NETTY =
      List.of(
          new Rule("concurrent/SingleThreadEventExecutor", CONSTRUCTOR, MADE),
          // Called as a thread begins, and now and then later on.
          new Rule("concurrent/SingleThreadEventExecutor", "updateLastExecutionTime", BEGUN),
          new Rule("concurrent/SingleThreadEventExecutor", "execute", HANDED),
          new Rule("concurrent/SingleThreadEventExecutor", "lazyExecute", HANDED),
          new Rule("concurrent/SingleThreadEventExecutor", ANY, RUNS),
          new Rule("concurrent/AbstractEventExecutor", ANY, RUNS),
          new Rule("concurrent/AbstractScheduledEventExecutor", "schedule", LASTING),
          new Rule("concurrent/DefaultEventExecutor", ANY, RUNS),
          new Rule("concurrent/GlobalEventExecutor", CONSTRUCTOR, MADE),
          new Rule("concurrent/GlobalEventExecutor", "takeTask", BEGUN),
          new Rule("concurrent/GlobalEventExecutor", "execute", HANDED),
          new Rule("concurrent/GlobalEventExecutor$", ANY, RUNS),
          new Rule("HashedWheelTimer$HashedWheelTimeout", CONSTRUCTOR, LASTS_ITSELF),
          new Rule("HashedWheelTimer$HashedWheelTimeout", "run", TAKES_ITSELF),
          new Rule("HashedWheelTimer$HashedWheelTimeout", "expire", TAKES_ITSELF));

  /** In the package of Kotlin's coroutines. */
  private static final List<Rule> OF_COROUTINES =
      List.of(
          new Rule("scheduling/CoroutineScheduler", "dispatch", HANDED),
          new Rule("scheduling/CoroutineScheduler", "runSafely", RUNS),
          new Rule("scheduling/CoroutineScheduler$Worker", "runWorker", BEGUN),
          new Rule("scheduling/TaskImpl", "run", RUNS),
          new Rule("internal/LimitedDispatcher", "dispatch", HANDED),
          new Rule("internal/LimitedDispatcher", "dispatchYield", HANDED),
          new Rule("internal/LimitedDispatcher$Worker", "run", RUNS),
          new Rule("DefaultExecutor", "run", BEGUN),
          new Rule("EventLoopImplBase$DelayedResumeTask", CONSTRUCTOR, LASTS_ITSELF),
          new Rule("EventLoopImplBase$DelayedResumeTask", "run", TAKES_ITSELF),
          new Rule("EventLoopImplBase$DelayedRunnableTask", CONSTRUCTOR, LASTS_ITSELF),
          new Rule("EventLoopImplBase$DelayedRunnableTask", "run", TAKES_ITSELF));

  /** For any class that has the method, and those nested in it. */
  private static final List<Rule> OF_EXECUTORS =
      List.of(new Rule("", "execute", OFFERED), new Rule("", ANY, RUNS));

  /** The code woven into a method of that name, or any other. */
  static final class Rule {
    private final String type;
    private final String method;
    private final List<Hook> hooks;

    Rule(String type, String method, Hook... hooks) {
      this.type = type;
      this.method = method;
      this.hooks = List.of(hooks);
    }

    private boolean fits(String name) {
      return type.endsWith("$") ? name.startsWith(type) : name.equals(type);
    }
  }

  private ExecutorHooks() {}

  /** The rules of a class that is known by its name; empty for any other. */
  static List<Rule> of(String name) {
    if (name.startsWith("java/")) {
      return fitting(OF_THE_JDK, name);
    }
    if (name.startsWith(COROUTINES)) {
      return fitting(OF_COROUTINES, name.substring(COROUTINES.length()));
    }
    int at = name.indexOf(NETTY);
    return at < 0
        ? Collections.emptyList()
        : fitting(OF_NETTY, name.substring(at + NETTY.length()));
  }

  /** The rules of a class that is an executor by its methods. */
  static List<Rule> ofExecutors() {
    return OF_EXECUTORS;
  }

  private static List<Rule> fitting(List<Rule> rules, String name) {
    List<Rule> fitting = new ArrayList<>();
    for (Rule rule : rules) {
      if (rule.fits(name)) {
        fitting.add(rule);
      }
    }
    return fitting;
  }

  static List<Hook> hooks(List<Rule> rules, String method) {
    List<Hook> hooks = new ArrayList<>();
    for (Rule rule : rules) {
      if (rule.method.equals(method) || rule.method.equals(ANY)) {
        hooks.addAll(rule.hooks);
      }
    }
    return hooks;
  }
}
