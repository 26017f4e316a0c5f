package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Supplier;
import org.buftrail.flow.scope.KnownScopes;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whose it is what threads do that are older than a scope, or work for many. */
@SuppressWarnings("try") // a scope need not be named where it is open
@ExtendWith(Probe.class)
final class ScopeClaimsTest {
  /** A thread that answers questions. */
  private static final class Worker implements AutoCloseable {
    private final BlockingQueue<Supplier<@Nullable Object>> questions = new SynchronousQueue<>();
    private final BlockingQueue<List<@Nullable Object>> answers = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::work);

    Worker() {
      thread.start();
    }

    private void work() {
      try {
        while (true) {
          List<@Nullable Object> answer = new ArrayList<>();
          answer.add(questions.take().get());
          answers.add(answer);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Nullable Object ask(Supplier<@Nullable Object> question) throws InterruptedException {
      questions.put(question);
      return answers.take().get(0);
    }

    @Nullable Object scope() throws InterruptedException {
      return ask(LeakScope::current);
    }

    /** Its thread is one of an executor from now on. */
    void serve(Object executor) throws InterruptedException {
      ask(
          () -> {
            ExecutorScopes.begun(executor);
            return null;
          });
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  /** The scope in which a task sees itself. */
  private static final class Task implements Runnable {
    @Nullable LeakScope scope;

    @Override
    public void run() {
      scope = LeakScope.current();
    }
  }

  private final List<Worker> workers = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Worker worker : workers) {
      worker.close();
    }
    assertThat(LeakScope.current()).isNull();
  }

  private Worker worker() {
    Worker worker = new Worker();
    workers.add(worker);
    return worker;
  }

  private static LeakScope claiming(String name, @Nullable LeakScope parent) {
    LeakScope scope = LeakScope.open(name, parent);
    scope.claim();
    return scope;
  }

  @Test
  void theScopeThatRunsAloneOwnsWhatNobodyElseDoes() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null)) {
      assertThat(older.scope()).isSameAs(run);
      try (LeakScope test = claiming("test", run)) {
        assertThat(older.scope()).isSameAs(test);
      }
      assertThat(older.scope()).isSameAs(run);
    }
    assertThat(older.scope()).isNull();
  }

  @Test
  void ofTwoSideBySideItIsTheOneAroundThem() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null);
        LeakScope type = claiming("type", run);
        LeakScope first = claiming("first", type)) {
      LeakScope second = claiming("second", type);
      assertThat(older.scope()).isSameAs(type);
      LeakScope other = claiming("other", run);
      assertThat(older.scope()).isSameAs(run);
      other.close();
      assertThat(older.scope()).isSameAs(type);
      second.close();
      assertThat(older.scope()).isSameAs(first);
    }
  }

  @Test
  void aThreadOfAScopeWorksForOneWithinThatClaims() throws Exception {
    try (LeakScope run = claiming("run", null);
        LeakScope type = LeakScope.open("type", run)) {
      Worker ofType;
      try (LeakScope.Entered in = type.enter()) {
        ofType = worker();
      }
      assertThat(ofType.scope()).isSameAs(type);
      try (LeakScope test = claiming("test", type)) {
        assertThat(ofType.scope()).isSameAs(test);
      }
      try (LeakScope other = claiming("other", run);
          LeakScope ofOther = claiming("test", other)) {
        assertThat(ofType.scope()).as("not of a scope beside").isSameAs(type);
      }
    }
  }

  @Test
  void whatAThreadOfAClosedTestStillDoesIsNotTheNextTests() throws Exception {
    try (LeakScope run = claiming("run", null);
        LeakScope type = claiming("type", run)) {
      Worker straggler;
      Worker ofPool;
      Object pool = new Object();
      try (LeakScope first = claiming("first", type);
          LeakScope.Entered in = first.enter()) {
        ExecutorScopes.made(pool);
        straggler = worker();
        ofPool = worker();
        ofPool.serve(pool);
        assertThat(straggler.scope()).isSameAs(first);
        assertThat(ofPool.scope()).isSameAs(first);
      }
      try (LeakScope second = claiming("second", type)) {
        assertThat(straggler.scope()).isSameAs(type);
        assertThat(ofPool.scope()).as("a pool works for whoever comes").isSameAs(second);
      }
    }
  }

  @Test
  void aThreadThatAStragglerMakesIsOneToo() throws Exception {
    try (LeakScope run = claiming("run", null);
        LeakScope type = claiming("type", run)) {
      Worker straggler;
      try (LeakScope first = claiming("first", type);
          LeakScope.Entered in = first.enter()) {
        straggler = worker();
      }
      try (LeakScope second = claiming("second", type)) {
        Worker child = (Worker) straggler.ask(Worker::new);
        assertThat(child).isNotNull();
        workers.add(child);
        assertThat(child.scope()).isSameAs(type);
      }
    }
  }

  @Test
  void aTaskIsRunInTheScopeThatHandedItAndNoLonger() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null)) {
      LeakScope first = LeakScope.open("first", run);
      LeakScope second = LeakScope.open("second", run);
      Task task = new Task();
      try (LeakScope.Entered in = first.enter()) {
        ExecutorScopes.handed(task);
      }
      assertThat(first.hasTasks()).isTrue();
      assertThat(second.hasTasks()).isFalse();
      assertThat(run(older, task)).isSameAs(first);
      assertThat(first.hasTasks()).isFalse();
      assertThat(older.scope()).isSameAs(run);
      assertThat(run(older, task)).as("not handed again").isSameAs(run);
      second.close();
      first.close();
    }
  }

  private static @Nullable Object run(Worker worker, Task task) throws InterruptedException {
    return worker.ask(
        () -> {
          ExecutorScopes.run(task);
          return task.scope;
        });
  }

  @Test
  void oneObjectThatIsHandedBySeveralIsRunForEachInTurn() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null)) {
      LeakScope first = LeakScope.open("first", run);
      LeakScope second = LeakScope.open("second", run);
      Task task = new Task();
      for (LeakScope scope : List.of(first, second, first)) {
        try (LeakScope.Entered in = scope.enter()) {
          // Through an executor that hands on to a pool.
          ExecutorScopes.offered(task);
          ExecutorScopes.handed(task);
        }
      }
      for (LeakScope scope : List.of(first, second, first)) {
        assertThat(scope.hasTasks()).isTrue();
        assertThat(run(older, task)).isSameAs(scope);
      }
      assertThat(first.hasTasks() || second.hasTasks()).isFalse();
      assertThat(run(older, task)).isSameAs(run);
      second.close();
      first.close();
    }
  }

  @Test
  void aTaskOfAClosedTestIsOfTheScopeAround() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null);
        LeakScope type = claiming("type", run)) {
      Task task = new Task();
      Task lasting = new Task();
      try (LeakScope first = claiming("first", type);
          LeakScope.Entered in = first.enter()) {
        ExecutorScopes.handed(task);
        ExecutorScopes.lasting(lasting);
        assertThat(run(older, lasting)).isSameAs(first);
        assertThat(run(older, lasting)).isSameAs(first);
      }
      try (LeakScope second = claiming("second", type)) {
        assertThat(run(older, task)).isSameAs(type);
        assertThat(run(older, lasting)).isSameAs(type);
        assertThat(older.scope()).isSameAs(second);
      }
    }
  }

  @Test
  void whatATaskHandsOnIsOfItsScope() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null);
        LeakScope test = LeakScope.open("test", run)) {
      Task next = new Task();
      Runnable task = () -> ExecutorScopes.handed(next);
      try (LeakScope.Entered in = test.enter()) {
        ExecutorScopes.handed(task);
      }
      older.ask(
          () -> {
            ExecutorScopes.run(task);
            return null;
          });
      assertThat(run(older, next)).isSameAs(test);
    }
  }

  @Test
  void aTaskThatFailsEndsToo() throws Exception {
    Worker older = worker();
    try (LeakScope run = claiming("run", null);
        LeakScope test = LeakScope.open("test", run)) {
      Runnable task =
          () -> {
            throw new IllegalStateException("as planned");
          };
      try (LeakScope.Entered in = test.enter()) {
        ExecutorScopes.handed(task);
      }
      Object failure =
          older.ask(
              () -> {
                try {
                  ExecutorScopes.run(task);
                  return null;
                } catch (IllegalStateException e) {
                  return e.getMessage();
                }
              });
      assertThat(failure).isEqualTo("as planned");
      assertThat(test.hasTasks()).isFalse();
      assertThat(older.scope()).isSameAs(run);
    }
  }

  @Test
  void aTaskOfATimerIsItsScopesUntilItIsDone() {
    try (LeakScope run = claiming("run", null);
        LeakScope test = LeakScope.open("test", run);
        LeakScope other = LeakScope.open("other", run)) {
      FutureTask<@Nullable Void> task = new FutureTask<>(() -> null);
      try (LeakScope.Entered in = test.enter()) {
        ExecutorScopes.lasting(task);
      }
      try (LeakScope.Entered in = other.enter()) {
        ExecutorScopes.handed(new Task());
      }
      assertThat(test.hasTimers()).isTrue();
      assertThat(run.hasTimers()).as("it is around that scope").isTrue();
      assertThat(other.hasTimers()).isFalse();
      task.run();
      assertThat(test.hasTimers()).isFalse();
    }
  }

  /** It is code of the application. */
  @Test
  void aTaskThatFailsAsItIsAskedIsNotDone() {
    FutureTask<String> task =
        new FutureTask<>(() -> "") {
          @Override
          public boolean isDone() {
            throw new IllegalStateException("as planned");
          }
        };
    try (LeakScope test = LeakScope.open("test");
        LeakScope within = LeakScope.open("within")) {
      ExecutorScopes.lasting(task);
      assertThat(test.hasTimers()).isTrue();
      assertThat(within.hasTimers()).isTrue();
    }
    assertThatIllegalStateException().isThrownBy(task::isDone);
  }

  @Test
  void withoutAScopeNoTaskIsRemembered() {
    int before = KnownScopes.handedTasks(Tracker.INSTANCE.scopes);
    ExecutorScopes.handed(new Task());
    ExecutorScopes.handed(null);
    assertThat(KnownScopes.handedTasks(Tracker.INSTANCE.scopes)).isLessThanOrEqualTo(before);
  }
}
