package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a static initialiser makes is its class's if tests are in that, or else everybody's. */
@ExtendWith(Probe.class)
final class StaticInitializersTest {
  private static final class Timer {
    private static final int TYPE =
        Resources.register("test.SharedTimer", Timer.class.getName(), false, null);

    /** Keeps it in a field, as clients keep their timers: no initialiser ever sees it. */
    Timer() {
      Resources.opened(this, TYPE);
    }
  }

  /** Has one for all tests. */
  private static final class Client {
    static final Timer SHARED = new Timer();
  }

  /** Stands for a test class that has one for itself. */
  private static final class OwnTimerTest {
    static final Timer OWN = new Timer();
  }

  /** Stands for a test class with nested ones. */
  private static final class EnclosingTest {
    static final Timer OWN = new Timer();
  }

  /** Stands for what several test classes derive from. */
  private static class BaseTest {
    static final Timer SHARED = new Timer();
  }

  private static final class DerivedTest extends BaseTest {}

  private static FakeBuffer allocated() {
    return FakeBuffer.direct(7).allocatedAt(Probe.root());
  }

  @Test
  void whatAnyInitializerOpensIsTheOutermostScopes() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope test = LeakScope.open("com.example.FirstTest.first()")) {
      assertThat(Client.SHARED).isNotNull();
      assertThat(test.leftovers()).isEmpty();
      assertThat(run.leftovers()).hasSize(1);
      Resources.closed(Client.SHARED, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  @Test
  void whatTheInitializerOfTheTestsOwnClassOpensIsTheClasss() {
    String name = OwnTimerTest.class.getName();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      assertThat(OwnTimerTest.OWN).isNotNull();
      assertThat(test.leftovers()).isEmpty();
      assertThat(type.leftovers()).hasSize(1);
      Resources.closed(OwnTimerTest.OWN, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  /** A nested class's tests stand within those of the class around it. */
  @Test
  void whatTheInitializerOfAnEnclosingClassOpensIsThatClasss() {
    String name = EnclosingTest.class.getName();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope outer = LeakScope.open(name);
        LeakScope nested = LeakScope.open(name + "$Inner");
        LeakScope test = LeakScope.open(name + "$Inner.first()")) {
      assertThat(EnclosingTest.OWN).isNotNull();
      assertThat(test.leftovers()).isEmpty();
      assertThat(nested.leftovers()).isEmpty();
      assertThat(outer.leftovers()).hasSize(1);
      Resources.closed(EnclosingTest.OWN, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  /** Other classes derive from it too: whichever came first would be blamed. */
  @Test
  void whatTheInitializerOfABaseClassOpensIsTheOutermostScopes() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(DerivedTest.class.getName())) {
      assertThat(new DerivedTest()).isNotNull();
      assertThat(type.leftovers()).isEmpty();
      assertThat(run.leftovers()).hasSize(1);
      Resources.closed(BaseTest.SHARED, Timer.TYPE);
    }
  }

  /** As code of tests is woven, where no look at the stack is taken. */
  @Test
  void whatAThreadAllocatesWhileItInitializesAClassIsThatClasss() throws InterruptedException {
    String name = "com.example.FirstTest";
    List<FakeBuffer> made = new ArrayList<>();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      type.claim();
      test.claim();
      TestCode.initializing(name);
      made.add(allocated());
      TestCode.initializing("com.example.Fixtures");
      made.add(allocated());
      Thread worker = new Thread(() -> made.add(allocated()));
      TestCode.initialized("com.example.Fixtures");
      TestCode.initialized(name);
      assertThat(test.leftovers()).isEmpty();
      assertThat(type.leftovers()).hasSize(1);
      assertThat(run.leftovers()).hasSize(1);
      worker.start();
      worker.join();
      assertThat(test.leftovers()).as("it works for whatever test runs").hasSize(1);
      made.add(allocated());
      assertThat(test.leftovers()).hasSize(2);
      made.forEach(FakeBuffer::release);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  /** As where a field of the test has a scope that is opened by hand. */
  @Test
  void anInitializerEndsInWhateverScopeItHasEntered() throws InterruptedException {
    endsInScopes(1);
  }

  @Test
  void anInitializerEndsInWhateverScopesItHasEntered() throws InterruptedException {
    endsInScopes(3);
  }

  private static void endsInScopes(int count) throws InterruptedException {
    String name = "com.example.FirstTest";
    List<FakeBuffer> made = new ArrayList<>();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      type.claim();
      test.claim();
      TestCode.initializing(name);
      Thread worker = new Thread(() -> made.add(allocated()));
      LeakScope.open("closed").close();
      made.add(allocated());
      assertThat(type.leftovers()).as("still the initialiser's").hasSize(1);
      Deque<LeakScope> left = new ArrayDeque<>();
      for (int i = 0; i < count; i++) {
        left.push(LeakScope.open("left"));
      }
      TestCode.initialized(name);
      worker.start();
      worker.join();
      assertThat(test.leftovers()).as("it works for whatever test runs").hasSize(1);
      left.forEach(LeakScope::close);
      made.add(allocated());
      assertThat(test.leftovers()).hasSize(2);
      made.forEach(FakeBuffer::release);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  /** It has neither a task nor a stay before. */
  @Test
  void aThreadOfAnInitializerIsThatAgainAfterAScopeThatItEntered() throws InterruptedException {
    String name = "com.example.FirstTest";
    List<FakeBuffer> made = new ArrayList<>();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      type.claim();
      test.claim();
      TestCode.initializing(name);
      Thread worker =
          new Thread(
              () -> {
                LeakScope.open("closed").close();
                made.add(allocated());
              });
      worker.start();
      worker.join();
      TestCode.initialized(name);
      assertThat(test.leftovers()).isEmpty();
      assertThat(type.leftovers()).hasSize(1);
      made.forEach(FakeBuffer::release);
      assertThat(run.leftovers()).isEmpty();
    }
  }

  /** As where a field is filled by a client that waits for its own event loop. */
  @Test
  void whatThreadsAndTasksOfAnInitializerAllocateWhileItRunsIsThatClasss() throws Exception {
    String name = "com.example.FirstTest";
    List<FakeBuffer> made = new ArrayList<>();
    Runnable task = () -> made.add(allocated());
    ExecutorService pool = Executors.newSingleThreadExecutor();
    pool.submit(() -> {}).get();
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      type.claim();
      test.claim();
      TestCode.initializing(name);
      Thread thread = new Thread(task);
      thread.start();
      thread.join();
      assertThat(type.leftovers()).hasSize(1);
      TestCode.initializing("com.example.Fixtures");
      ExecutorScopes.handed(task);
      pool.submit(() -> ExecutorScopes.run(task)).get();
      ExecutorScopes.handed(task);
      TestCode.initialized("com.example.Fixtures");
      TestCode.initialized(name);
      assertThat(test.leftovers()).isEmpty();
      assertThat(type.leftovers()).hasSize(1);
      assertThat(run.leftovers()).hasSize(1);
      pool.submit(() -> ExecutorScopes.run(task)).get();
      assertThat(test.leftovers()).as("later it works for whatever test runs").hasSize(1);
      made.forEach(FakeBuffer::release);
      assertThat(run.leftovers()).isEmpty();
    } finally {
      pool.shutdown();
    }
  }

  /** As where fixtures ask for a constant of the test that uses them. */
  @Test
  void whatAClassMakesIsItsOwnAlsoWhereAnotherHasItInitialized() {
    String name = "com.example.FirstTest";
    try (LeakScope run = LeakScope.open("the run");
        LeakScope type = LeakScope.open(name);
        LeakScope test = LeakScope.open(name + ".first()")) {
      TestCode.initializing("com.example.Fixtures");
      TestCode.initializing("com.example.MoreFixtures");
      TestCode.initializing(name);
      FakeBuffer ofClass = allocated();
      TestCode.initialized(name);
      FakeBuffer ofEverybody = allocated();
      TestCode.initialized("com.example.MoreFixtures");
      TestCode.initialized("com.example.Fixtures");
      assertThat(type.leftovers()).hasSize(1);
      assertThat(run.leftovers()).hasSize(1);
      assertThat(test.leftovers()).isEmpty();
      FakeBuffer ofTest = allocated();
      assertThat(test.leftovers()).hasSize(1);
      List.of(ofClass, ofEverybody, ofTest).forEach(FakeBuffer::release);
    }
  }

  @Test
  void whatATestOpensIsItsOwn() {
    try (LeakScope run = LeakScope.open("the run");
        LeakScope test = LeakScope.open("com.example.FirstTest.first()")) {
      Timer timer = new Timer();
      assertThat(test.leftovers()).hasSize(1);
      Resources.closed(timer, Timer.TYPE);
      assertThat(run.leftovers()).isEmpty();
    }
  }
}
