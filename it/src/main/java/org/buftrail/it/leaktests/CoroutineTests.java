package org.buftrail.it.leaktests;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.DelayKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A leak and its twin on each dispatcher of Kotlin's coroutines, all of which are shared. */
@Timeout(60)
public class CoroutineTests {
  private static final CoroutineDispatcher LIMITED =
      Dispatchers.getDefault().limitedParallelism(1, null);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** A way to have a task run by a coroutine, which runs it and what follows. */
  private static final class Kind {
    final String name;
    final Consumer<Runnable> start;

    Kind(String name, Consumer<Runnable> start) {
      this.name = name;
      this.start = start;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Kind> kinds() {
    return Stream.of(
        new Kind("Default", task -> dispatch(Dispatchers.getDefault(), task)),
        new Kind("IO", task -> dispatch(Dispatchers.getIO(), task)),
        new Kind("Limited", task -> dispatch(LIMITED, task)),
        new Kind("Launched", task -> launch(Dispatchers.getDefault(), task)),
        new Kind("LaunchedForIO", task -> launch(Dispatchers.getIO(), task)),
        new Kind("Delayed", CoroutineTests::delay));
  }

  static Stream<String> names() {
    return kinds().map(Kind::toString);
  }

  private static void dispatch(CoroutineDispatcher dispatcher, Runnable task) {
    dispatcher.dispatch(EmptyCoroutineContext.INSTANCE, task);
  }

  private static void launch(CoroutineDispatcher dispatcher, Runnable task) {
    BuildersKt.launch(
        GlobalScope.INSTANCE,
        dispatcher,
        CoroutineStart.DEFAULT,
        (scope, continuation) -> {
          task.run();
          return Unit.INSTANCE;
        });
  }

  private static void delay(Runnable task) {
    BuildersKt.launch(
        GlobalScope.INSTANCE,
        Dispatchers.getDefault(),
        CoroutineStart.DEFAULT,
        (scope, continuation) -> {
          Object done = DelayKt.delay(1, new Later(continuation, task));
          if (done != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
            // It was over before it was waited for.
            task.run();
          }
          return done;
        });
  }

  /** Runs a task before it goes on. */
  private static final class Later implements Continuation<Unit> {
    private final Continuation<? super Unit> next;
    private final Runnable task;

    Later(Continuation<? super Unit> next, Runnable task) {
      this.next = next;
      this.task = task;
    }

    @Override
    public CoroutineContext getContext() {
      return next.getContext();
    }

    @Override
    public void resumeWith(Object result) {
      task.run();
      next.resumeWith(result);
    }
  }

  private static void run(String name, Runnable task) {
    CompletableFuture<Integer> done = new CompletableFuture<>();
    kinds()
        .filter(kind -> kind.name.equals(name))
        .forEach(
            kind ->
                kind.start.accept(
                    () -> {
                      task.run();
                      done.complete(NUMBER.incrementAndGet());
                    }));
    done.join();
  }

  @ParameterizedTest(name = "leak{0}")
  @MethodSource("names")
  void leak(String name) {
    run(name, () -> Buffers.direct().writeByte(1));
  }

  @ParameterizedTest(name = "clean{0}")
  @MethodSource("names")
  void clean(String name) {
    run(name, () -> Buffers.direct().release());
  }
}
