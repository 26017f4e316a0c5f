package org.buftrail.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.agent.base.TimeBox;
import org.buftrail.agent.options.Options;
import org.buftrail.agent.watch.OutOfMemoryWeaver;
import org.buftrail.agent.weave.LoadedClasses;
import org.buftrail.agent.weave.Selection;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.executors.ExecutorWeaver;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.resources.UnmatchedMembers;
import org.buftrail.agent.weave.tests.TestCodeWeaver;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.model.Snapshot;

/**
 * Tracking from one attach, or the start of the JVM, to the next detach.
 *
 * <p>Each step that {@link #begin} takes has its undo, which {@link #end} runs, and so does a step
 * that fails. Nothing is followed before the last class is woven: what is allocated until then is
 * never reported, since some of its releases could not be seen. Guarded by {@link Agent}.
 */
final class Attachment {
  private final Options options;
  private final Weaver weaver;
  private final Instrumentation instrumentation;
  private final Consumer<String> log;

  private final UnmatchedMembers unmatched = new UnmatchedMembers();

  /** The last step's undo first. */
  private final Deque<Runnable> undo = new ArrayDeque<>();

  private Selection patterns;
  private int woven;
  private int restored;
  private int failures;

  private Attachment(
      Options options,
      Selection patterns,
      Weaver weaver,
      Instrumentation instrumentation,
      Consumer<String> log) {
    this.options = options;
    this.patterns = patterns;
    this.weaver = weaver;
    this.instrumentation = instrumentation;
    this.log = log;
  }

  /**
   * Weaves, and then follows.
   *
   * @param alarm whether the JVM's {@code OutOfMemoryError}s are wanted too
   * @param weaver a transformer of this JVM already, so that no class loads unseen from now on
   * @throws RuntimeException when a step failed, and all before it were undone; an error likewise
   */
  static Attachment begin(
      Options options,
      boolean alarm,
      Selection patterns,
      Weaver weaver,
      Instrumentation instrumentation,
      Consumer<String> log) {
    Attachment made = new Attachment(options, patterns, weaver, instrumentation, log);
    try {
      made.weave();
      made.weaveForScopes();
      if (alarm) {
        made.weaveErrors();
      }
      made.follow();
      made.switchLater();
      return made;
    } catch (RuntimeException | Error e) {
      made.end();
      throw e;
    }
  }

  private void weave() {
    FlowTracker.INSTANCE.setBounds(options.maxNodes, options.maxDepth, options.maxChildren);
    FlowTracker.INSTANCE.forgetBufferAccess();
    undo.push(this::restore);
    weaver.weave(patterns);
    LoadedClasses loaded = new LoadedClasses(instrumentation, weaver, log);
    woven = loaded.weave(patterns);
    failures = loaded.failures();
    weaver.settle();
  }

  private void restore() {
    weaver.rest();
    try {
      LoadedClasses loaded = new LoadedClasses(instrumentation, weaver, log);
      restored = loaded.restore(patterns);
      failures = loaded.failures();
    } finally {
      FlowTracker.INSTANCE.forgetBufferAccess();
    }
  }

  /** Called as soon as a scope opens. */
  private void weaveForScopes() {
    ExecutorWeaver executors = new ExecutorWeaver(instrumentation, log);
    TestCodeWeaver tests = new TestCodeWeaver(instrumentation, log);
    undo.push(executors::restore);
    undo.push(tests::restore);
    undo.push(() -> ExecutorScopes.setWeaver(null));
    ExecutorScopes.setWeaver(
        () -> {
          executors.weave();
          tests.weave();
        });
  }

  private void weaveErrors() {
    OutOfMemoryWeaver errors = new OutOfMemoryWeaver(instrumentation, log);
    undo.push(errors::restore);
    errors.weave();
  }

  private void follow() {
    undo.push(FlowTracker.INSTANCE::stop);
    FlowTracker.INSTANCE.configure(options.sample, options.trackDirectOnly);
    FlowTracker.INSTANCE.setDropsAreLeaks(options.droppedIsLeaked);
    FlowTracker.INSTANCE.setHopRules(
        options.fewerHops ? Snapshot.HOP_RULES_FEWER : Snapshot.HOP_RULES);
    FlowTracker.INSTANCE.setDirectBuffers(options.directBuffers);
    FlowTracker.INSTANCE.setOwnClasses(patterns::isOwn);
    FlowTracker.INSTANCE.start(options.delayMillis == 0);
  }

  private void switchLater() {
    if (options.delayMillis > 0 || options.durationMillis > 0) {
      TimeBox box = TimeBox.start(options.delayMillis, options.durationMillis, log);
      undo.push(box::end);
    }
  }

  /** Undoes all that was done, whatever fails meanwhile. */
  void end() {
    for (Runnable step = undo.poll(); step != null; step = undo.poll()) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        log.accept("not everything could be taken back: " + e);
      }
    }
  }

  /** Follows one more type of resource, which the application described. */
  void add(ResourceRule rule) {
    if (patterns.resources().stream().anyMatch(rule::isSame)) {
      return;
    }
    patterns = patterns.with(rule);
    weaver.weave(patterns);
    new LoadedClasses(instrumentation, weaver, log).weaveUsers(patterns);
    weaver.settle();
  }

  /** Weaves what was found out too late; now and again. */
  void catchUp() {
    if (patterns.hasResources()) {
      new LoadedClasses(instrumentation, weaver, log).weaveInherited(patterns);
    }
  }

  /** Says what opens or closes nothing. */
  void lookAtResources() {
    unmatched.look(patterns.resources()).forEach(log);
  }

  /** The resources followed beside buffers. */
  List<ResourceRule> resources() {
    return patterns.resources();
  }

  /** The packages whose methods are hops, as far as they are known. */
  List<String> packages() {
    return patterns.packages();
  }

  /** How many classes that were loaded before were woven. */
  int woven() {
    return woven;
  }

  /** How many classes got their byte code back at the end. */
  int restored() {
    return restored;
  }

  /** How many classes stay as they were, since they could not be woven or, later, restored. */
  int failures() {
    return failures;
  }
}
